import { getOrAdd } from './get-or-add';

/** The result of one call for all calls: an `import()` costs as much again each time. */
export function once<T>(work: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => (result ??= { value: work() }).value;
}

/** The result of one call for each object, kept as long as the object: it must not change. */
export function oncePer<K extends object, V extends NonNullable<unknown>>(
  work: (key: K) => V,
): (key: K) => V {
  const results = new WeakMap<K, V>();
  return (key) => getOrAdd(results, key, work);
}
