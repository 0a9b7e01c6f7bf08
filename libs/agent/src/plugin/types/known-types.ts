import type * as ts from 'typescript';
import { Refusal } from './template';

/** Types of the language and of Node, with their replacements. */
const ADVICE: Readonly<Record<string, string>> = {
  Buffer: 'Take base64 text and decode it in the method',
  Uint8Array: 'Take base64 text and decode it in the method',
  ArrayBuffer: 'Take base64 text and decode it in the method',
  Blob: 'Take base64 text and decode it in the method',
  File: 'Take base64 text and decode it in the method',
  RegExp: 'Take text and build the expression in the method',
  URL: 'Take text and parse it in the method',
  Promise: 'Take the value itself',
  PromiseLike: 'Take the value itself',
  WeakMap: 'Take a Map',
  WeakSet: 'Take a Set',
  Function: 'Take plain data',
  Symbol: 'Take text',
  Error: 'Take its message as text',
};

/** The `$of` values of a template for built-in types. */
export const CONVERTED: Readonly<Record<string, 'date' | 'map' | 'set'>> = {
  Date: 'date',
  Map: 'map',
  ReadonlyMap: 'map',
  Set: 'set',
  ReadonlySet: 'set',
};

/** The object types that wrap primitives. */
export const BOXED: Readonly<Record<string, string>> = {
  String: 'string',
  Number: 'number',
  Boolean: 'boolean',
};

/** A type of the language that JSON cannot carry. */
export function refusedBuiltin(name: string): Refusal {
  const advice = ADVICE[name] ?? 'Take plain data, such as an interface with what you need of it';
  return new Refusal(`is of type ${name}, which JSON cannot carry`, advice);
}

const SAY_IT = 'Write what it takes, such as string or an interface';

export const says = {
  any: () => new Refusal('is of type any, which says nothing', SAY_IT),
  unknown: () => new Refusal('is of type unknown, which says nothing', SAY_IT),
  object: (name: string) => new Refusal(`is of type ${name}, which says nothing`, SAY_IT),
  never: () => new Refusal('is of type never, which has no value', SAY_IT),
  nothing: () => new Refusal('has no value but undefined', SAY_IT),
  bigints: () =>
    new Refusal('is a bigint literal, which JSON cannot tell apart', 'Take bigint, or numbers'),
  computed: (member: ts.Symbol | undefined) =>
    new Refusal(
      `is of an enum whose member ${member?.name ?? ''} has a computed value`,
      'Give it a constant value, or take a union of literals',
    ),
  keys: () => new Refusal('is a Map whose keys are no text', 'Take an array of entries'),
  proto: () =>
    new Refusal('has a name that JSON objects must not use', 'Name the property otherwise'),
  rest: () => new Refusal('is a rest parameter', 'Take an array'),
  nameless: () =>
    new Refusal('has no name', 'Name the parameter, and take its value apart in the method'),
  extension: (name: string, base: string) =>
    new Refusal(
      `is of the class ${name}, which extends ${base}`,
      'Take an interface or a class of public properties',
    ),
  empty: (name: string) =>
    new Refusal(
      `is of the class ${name}, which has no properties and so says nothing`,
      `Give it public properties. If the application provides it as context, name it in the plugin's option "context": ["${name}"]`,
    ),
  symbol: () => new Refusal('is a symbol, which JSON cannot carry', 'Take text'),
  names: (type: string) =>
    new Refusal(`is of type ${type}, which may be a symbol`, `Take ${type} & string`),
  function: () => new Refusal('is a function, which JSON cannot carry', 'Take plain data'),
  generic: (name: string) =>
    new Refusal(
      `is of the type parameter ${name}, which is not known here`,
      'Write a type, or give the parameter a constraint',
    ),
  privateState: (name: string) =>
    new Refusal(
      `is of the class ${name}, which has private state that JSON cannot carry`,
      `Take an interface or a class of public properties. If the application provides it as context, name it in the plugin's option "context": ["${name}"]`,
    ),
  large: () =>
    new Refusal(
      'is of a type that is too large or too deep to describe',
      'Write an interface with what the tool needs of it',
    ),
};
