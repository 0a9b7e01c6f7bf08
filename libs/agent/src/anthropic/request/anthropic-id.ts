/**
 * An id as the API takes it. Those of other providers may hold characters that it refuses; they are
 * written in others, so that no two become one.
 *
 * @see https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls
 */
export function anthropicId(id: string): string {
  // An id that begins like a changed one is changed too.
  if (/^(?!id_)[a-zA-Z0-9_-]+$/.test(id)) return id;
  return `id_${Buffer.from(id, 'utf16le').toString('base64url')}`;
}
