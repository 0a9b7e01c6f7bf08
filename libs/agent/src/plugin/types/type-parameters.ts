import * as ts from 'typescript';
import type { Template } from './template';

/**
 * Whether a type is known only in part: a type parameter of a class, or a type made of one, such as
 * `Partial<T>` or `T & Named`. Classes that extend it fill in types with further properties.
 */
export function isOpen(type: ts.Type): boolean {
  if ((type.flags & ts.TypeFlags.TypeParameter) !== 0) return !isOfMethod(type);
  if (type.isIntersection()) return type.types.some(isOpen);
  return isMapped(type) && (type.aliasTypeArguments ?? []).some(isOpen);
}

function isOfMethod(type: ts.Type): boolean {
  return (type.getSymbol()?.declarations ?? []).some(({ parent }) =>
    ts.isMethodDeclaration(parent),
  );
}

function isMapped(type: ts.Type): boolean {
  const { objectFlags = 0 } = type as Partial<ts.ObjectType>;
  return (objectFlags & ts.ObjectFlags.Mapped) !== 0;
}

/** The keywords of an object that may have further properties. */
export const OPEN: Template = { additionalProperties: {} };

/** An object that may have further properties; any other type as it is. */
export function opened(template: Template): Template {
  const isObject = template.type === 'object' && template.$of === undefined;
  return isObject ? { ...OPEN, ...template } : template;
}
