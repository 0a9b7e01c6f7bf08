/**
 * What stands in a fenced block of code, where the text is one, closed or not; else the text without
 * the blanks around it. Looks at both ends only: a pattern that allows for blanks on either side of
 * the code takes minutes over a few thousand of them.
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
