/** The notice of a picture or file that a model made: a journal has no room for it. */
export function notKept(mediaType: string): { readonly code: string; readonly message: string } {
  const message = `The picture or file that the model made (${mediaType}) is not kept.`;
  return { code: 'picture_not_kept', message };
}
