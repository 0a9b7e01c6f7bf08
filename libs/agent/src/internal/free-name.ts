/**
 * A name that is not taken: the wanted one, or else with a number at its end.
 *
 * @param most the maximum length of a name
 */
export function freeName(
  wanted: string,
  isTaken: (name: string) => boolean,
  most = Infinity,
): string {
  let name = wanted;
  for (let count = 2; isTaken(name); count++) {
    const ending = `_${count}`;
    name = wanted.slice(0, most - ending.length) + ending;
  }
  return name;
}
