import type { Type } from '@nestjs/common';

/** Types that every object, or every value of a kind, is an instance of. */
const BUILT_IN: ReadonlySet<unknown> = new Set([
  Object,
  Function,
  Array,
  Promise,
  String,
  Number,
  Boolean,
  BigInt,
  Symbol,
  Date,
]);

/** Whether instances of a type can be injected by it. */
export function isInjectableType(type: unknown): type is Type<unknown> {
  return typeof type === 'function' && type.prototype !== undefined && !BUILT_IN.has(type);
}

/** The instance of a type: one of the very class before one of a subclass, the first of several. */
export function instanceOf(type: Type<unknown>, instances: readonly object[]): object | undefined {
  return (
    instances.find((instance) => instance.constructor === type) ??
    instances.find((instance) => instance instanceof type)
  );
}
