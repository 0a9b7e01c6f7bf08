/** The notice that a picture or file of a model is not stored in the journal. */
export function notKept(mediaType: string): { readonly code: string; readonly message: string } {
  const message = `The picture or file that the model made (${mediaType}) is not kept.`;
  return { code: 'picture_not_kept', message };
}
