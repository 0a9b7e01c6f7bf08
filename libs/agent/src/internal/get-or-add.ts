/** A map, weak or not. */
interface Keyed<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value under a key; the first time it is made. */
export function getOrAdd<K, V extends NonNullable<unknown>>(
  map: Keyed<K, V>,
  key: K,
  make: (key: K) => V,
): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make(key)));
  return value;
}
