/** The result of one call for all calls: an `import()` costs as much again each time. */
export function once<T>(work: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => (result ??= { value: work() }).value;
}
