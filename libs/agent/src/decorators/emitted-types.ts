import type { Type } from '@nestjs/common';
import { PARAMTYPES_METADATA } from '@nestjs/common/constants';
import { pluginMethodOf } from '../schema';

/** The cause of unknown types of a whole method, and the remedy. */
export const NO_EMITTED_TYPES =
  'The compiler wrote no types of the method. Set emitDecoratorMetadata in tsconfig.json, and compile with tsc or SWC: tsx and esbuild write none.';

/** The types of a decorated method's parameters; `undefined` where the compiler wrote none. */
export function emittedTypesOf(
  target: Type<unknown>,
  methodName: string,
): readonly unknown[] | undefined {
  return Reflect.getMetadata(PARAMTYPES_METADATA, target.prototype as object, methodName) as
    | readonly unknown[]
    | undefined;
}

/** Whether the compiler, or the compiler plugin, wrote a method's types. */
export function hasWrittenTypes(target: Type<unknown>, methodName: string): boolean {
  return (
    pluginMethodOf(target, methodName) !== undefined ||
    emittedTypesOf(target, methodName) !== undefined
  );
}
