import { editDistance } from '../internal';

/**
 * The name that was probably meant: it contains the written one or the reverse, or at most a third of
 * its letters differ.
 */
export function nearestOf(written: string, names: readonly string[]): string | undefined {
  const wanted = written.toLowerCase();
  const ranked = names
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase()) }))
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
