import * as ts from 'typescript';
import { ClassReference, type Template, type TemplateValue } from '../types';

/** The code by which a file reaches a class. */
type NameClass = (symbol: ts.Symbol) => string;

/**
 * A template as an expression. It is one node of text, which the compiler prints unchanged: a node
 * for each value would make this several times as expensive. Classes are referred to by name: the
 * code runs at boot, when all are defined.
 */
export function expressionOf(value: TemplateValue, nameClass: NameClass): ts.Expression {
  return ts.factory.createIdentifier(codeOf(value, nameClass) ?? JSON.stringify(value));
}

/** An object as a separate literal, which the metadata generator requires. */
export function objectOf(value: Template, nameClass: NameClass): ts.ObjectLiteralExpression {
  const { factory } = ts;
  return factory.createObjectLiteralExpression(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) =>
        factory.createPropertyAssignment(
          factory.createStringLiteral(key),
          expressionOf(member, nameClass),
        ),
      ),
  );
}

/** The code of a value that JSON cannot express: a class, or a key that would set the prototype. */
function codeOf(value: TemplateValue, nameClass: NameClass): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof ClassReference) return nameClass(value.symbol);
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  const codes = entries.map(([, member]) => codeOf(member, nameClass));
  const isJson = codes.every((code) => code === undefined) && !Object.hasOwn(value, '__proto__');
  if (isJson) return undefined;
  const parts = entries.map(([key, member], index) => {
    const code = codes[index] ?? JSON.stringify(member);
    return Array.isArray(value) ? code : `${keyOf(key)}: ${code}`;
  });
  return Array.isArray(value) ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
}

/** `__proto__` as a plain key would set the prototype. */
function keyOf(key: string): string {
  return key === '__proto__' ? '["__proto__"]' : JSON.stringify(key);
}
