/** A plain copy of a DTO, without the keys that were left out or sent as `null`. */
export function withoutNulls<T extends object>(dto: T): T {
  const entries = Object.entries(dto).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries) as T;
}
