/** The Levenshtein distance of two texts: letters to insert, delete or replace. */
export function editDistance(from: string, to: string): number {
  const letters = [...to];
  let row = Array.from({ length: letters.length + 1 }, (_, index) => index);
  [...from].forEach((letter, line) => {
    const next = [line + 1];
    for (let at = 1; at <= letters.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (letter === letters[at - 1] ? 0 : 1);
      next.push(Math.min((row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, replaced));
    }
    row = next;
  });
  return row[letters.length] ?? 0;
}
