/**
 * The content of a fenced block of code, closed or not, if the text is one; else the trimmed text.
 * Reads both ends only: a pattern with optional blanks on both sides takes minutes for a few
 * thousand of them.
 */
export function unfenced(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('```')) return trimmed;
  const isClosed = trimmed.length >= 6 && trimmed.endsWith('```');
  return trimmed
    .slice(3, isClosed ? -3 : undefined)
    .replace(/^[\w-]*/, '')
    .trim();
}
