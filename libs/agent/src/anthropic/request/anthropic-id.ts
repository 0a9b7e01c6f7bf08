/**
 * An id in the form that the API accepts. Characters that it refuses, in ids of other providers,
 * are encoded so that ids stay distinct.
 *
 * @see https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls
 */
export function anthropicId(id: string): string {
  // An id that begins like a changed one is changed too.
  if (/^(?!id_)[a-zA-Z0-9_-]+$/.test(id)) return id;
  return `id_${Buffer.from(id, 'utf16le').toString('base64url')}`;
}
