import type * as ts from 'typescript';
import { Refusal, type Template } from './template';
import { type Direction, TypeDescriber, type TypeScope } from './type-describer';

/** Describes a type; `undefined` if it cannot be described and need not be. */
export function describable(
  type: ts.Type,
  scope: TypeScope,
  direction: Direction,
  written: ts.TypeNode | undefined,
): Template | undefined {
  try {
    return new TypeDescriber(scope, direction).describe(type, written);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
