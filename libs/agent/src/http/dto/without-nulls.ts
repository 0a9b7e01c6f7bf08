/** A plain copy of a DTO, without keys that are missing or `null`. */
export function withoutNulls<T extends object>(dto: T): T {
  const entries = Object.entries(dto).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries) as T;
}
