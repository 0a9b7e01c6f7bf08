/** A copy without the properties that are `undefined`. */
export function defined<T extends object>(properties: T): T {
  return Object.fromEntries(
    Object.entries(properties).filter(([, value]) => value !== undefined),
  ) as T;
}
