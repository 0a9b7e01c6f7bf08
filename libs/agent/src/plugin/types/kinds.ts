import * as ts from 'typescript';
import { builtinBase, hasPrivateState, isBuiltin } from './declared';
import { CONVERTED, says } from './known-types';
import { isMethodOfClass, isUnseen } from './symbols';

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

/** @throws Refusal for a class whose instances are not plain data */
export function assertData(type: ts.Type, { name }: ts.Symbol, scope: Scope): void {
  const { checker, program } = scope;
  if (hasPrivateState(type, checker)) throw says.privateState(name);
  const base = builtinBase(type, program);
  if (base) throw says.extension(name, base.name);
  if (!hasData(type, scope)) throw says.empty(name);
}

/** Whether instances of a class are plain data. */
export function isPlainData(type: ts.Type, scope: Scope): boolean {
  const { checker, program } = scope;
  if (hasPrivateState(type, checker) || builtinBase(type, program)) return false;
  return hasData(type, scope);
}

function hasData(type: ts.Type, { checker }: Scope): boolean {
  const properties = checker.getPropertiesOfType(type);
  return properties.some((one) => !isUnseen(one) && !isMethodOfClass(one));
}
