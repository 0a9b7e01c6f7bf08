/** An object and its prototypes, the nearest first; of a class, it and its ancestors. */
export function* chainOf(start: object | null | undefined): Generator<object> {
  for (let one = start; one; one = Object.getPrototypeOf(one) as object | null) yield one;
}
