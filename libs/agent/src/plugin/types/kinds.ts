import * as ts from 'typescript';
import { builtinBase, hasPrivateState, isBuiltin } from './declared';
import { CONVERTED, says } from './known-types';
import { isMethodOfClass, isUnseen } from './symbols';
import type { Refusal } from './template';

interface Scope {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
}

const MANY = ts.TypeFlags.Object | ts.TypeFlags.Union | ts.TypeFlags.Intersection;

/** Whether a type has parts. */
export function isComposed({ flags }: ts.Type): boolean {
  return (flags & MANY) !== 0;
}

/** `object`, a type parameter, whose properties are those of its constraint, and the names of one. */
const PARTIAL = ts.TypeFlags.NonPrimitive | ts.TypeFlags.TypeParameter | ts.TypeFlags.Index;

/** Whether an intersection adds no properties to the type: a primitive, a list, a built-in type. */
export function isWhole(type: ts.Type, { checker, program }: Scope): boolean {
  if (!isComposed(type)) return (type.flags & PARTIAL) === 0;
  const symbol = type.getSymbol();
  if (checker.isArrayType(type) || checker.isTupleType(type)) return true;
  return symbol !== undefined && symbol.name in CONVERTED && isBuiltin(symbol, program);
}

/** Why the instances of a class are not plain data; `undefined` if they are. */
export function whyNotData(
  type: ts.Type,
  { name }: ts.Symbol,
  { checker, program }: Scope,
): Refusal | undefined {
  if (hasPrivateState(type, checker)) return says.privateState(name);
  const base = builtinBase(type, program);
  if (base) return says.extension(name, base.name);
  const properties = checker.getPropertiesOfType(type);
  const hasData = properties.some((one) => !isUnseen(one) && !isMethodOfClass(one));
  return hasData ? undefined : says.empty(name);
}
