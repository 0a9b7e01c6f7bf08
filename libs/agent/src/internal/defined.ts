/** A copy without the properties that are `undefined`. */
export function defined<T extends object>(properties: T): T {
  const copy: Partial<T> = {};
  for (const name of Object.keys(properties) as (keyof T)[]) {
    const value = properties[name];
    if (value !== undefined) copy[name] = value;
  }
  return copy as T;
}
