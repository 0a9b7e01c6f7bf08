import { chainOf } from '../../internal';

/** Any class, abstract ones included. */
export type AnyClass = abstract new (...args: never[]) => unknown;

/** Any method, as the key of its metadata. */
export type AnyMethod = (...args: never[]) => unknown;

/** Arrow functions and methods are no classes: only constructors have a prototype. */
export function isClass(value: unknown): value is AnyClass {
  return typeof value === 'function' && value.prototype !== undefined;
}

/** A class's own prototype and the inherited ones; `Object.prototype` declares nothing. */
export function prototypesOf({ prototype }: AnyClass): readonly object[] {
  return [...chainOf(prototype as object | undefined)].filter((one) => one !== Object.prototype);
}

/** The prototype that declares a member: the class's own or an inherited one. */
export function ownerOf(type: AnyClass, member: string): object | undefined {
  return prototypesOf(type).find((prototype) => Object.hasOwn(prototype, member));
}

/** A method by name, own or inherited, found without evaluating getters. */
export function methodOf(type: AnyClass, name: string): AnyMethod | undefined {
  const owner = ownerOf(type, name);
  return owner && ownMethodOf(owner, name);
}

/** A method that a prototype declares itself. */
export function ownMethodOf(prototype: object, name: string): AnyMethod | undefined {
  const value: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value;
  return typeof value === 'function' ? (value as AnyMethod) : undefined;
}
