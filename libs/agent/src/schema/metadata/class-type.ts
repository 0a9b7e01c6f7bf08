/** Any class, abstract ones included. */
export type AnyClass = abstract new (...args: never[]) => unknown;

/** Any method, as the key under which its metadata stands. */
export type AnyMethod = (...args: never[]) => unknown;

export function isClass(value: unknown): value is AnyClass {
  return typeof value === 'function';
}
