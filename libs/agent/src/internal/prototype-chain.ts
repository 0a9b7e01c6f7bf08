/** An object and its prototypes, the nearest first; of a class, it and its ancestors. */
export function* chainOf(start: object | null | undefined): Generator<object> {
  for (let one = start; one; one = Object.getPrototypeOf(one) as object | null) yield one;
}

/** Whether an enhancer is of a class, or is such a class, which Nest instantiates. */
export function isA(enhancer: unknown, kind: abstract new (...args: never[]) => unknown): boolean {
  return (
    enhancer instanceof kind ||
    (typeof enhancer === 'function' && (enhancer === kind || enhancer.prototype instanceof kind))
  );
}
