import type { Type } from '@nestjs/common';

/** Types of which every object or primitive is an instance. */
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

/** Whether a type can be injected. */
export function isInjectableType(type: unknown): type is Type<unknown> {
  return typeof type === 'function' && type.prototype !== undefined && !BUILT_IN.has(type);
}

/** The first instance of a class, or else of a subclass. */
export function instanceOf(type: Type<unknown>, instances: readonly object[]): object | undefined {
  return (
    instances.find((instance) => instance.constructor === type) ??
    instances.find((instance) => instance instanceof type)
  );
}
