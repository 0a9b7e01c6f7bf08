/** The value of a `Vary` header with every given name once. */
export function varying(...values: readonly unknown[]): string {
  const names = values
    .flat(2)
    .filter((value): value is string => typeof value === 'string')
    .flatMap((value) => value.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.includes('*')) return '*';
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].join(', ');
}
