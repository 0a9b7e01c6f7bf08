/** The shortest-first text that a pattern matches, within bounds; `undefined` where none is found. */
export function textMatching(pattern: string, min: number, max: number): string | undefined {
  const regex = new RegExp(pattern, 'u');
  for (const text of ['text', 'a', '1', 'A', 'a@b.co', '00000000-0000-0000-0000-000000000000']) {
    const length = [...text].length;
    if (length >= min && length <= max && regex.test(text)) return text;
  }
  return undefined;
}
