/**
 * Of some names the one that was probably meant: one holds the other, or at most a third of its
 * letters differ.
 */
export function nearestOf(written: string, names: readonly string[]): string | undefined {
  const wanted = written.toLowerCase();
  const ranked = names
    .map((name) => ({ name, distance: distanceOf(wanted, name.toLowerCase()) }))
    .filter(
      ({ name, distance }) => distance <= name.length / 3 || isPart(wanted, name.toLowerCase()),
    )
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.name;
}

function isPart(wanted: string, name: string): boolean {
  return (
    Math.min(wanted.length, name.length) > 3 && (name.includes(wanted) || wanted.includes(name))
  );
}

/** Letters to put in, take out or exchange, as Levenshtein counts them. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  [...from].forEach((letter, line) => {
    const next = [line + 1];
    for (let at = 1; at <= to.length; at++) {
      const exchanged = (row[at - 1] ?? 0) + (letter === to[at - 1] ? 0 : 1);
      next.push(Math.min((row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, exchanged));
    }
    row = next;
  });
  return row[to.length] ?? 0;
}
