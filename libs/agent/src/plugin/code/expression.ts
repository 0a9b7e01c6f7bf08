import * as ts from 'typescript';
import { ClassReference, type Template, type TemplateValue } from '../types';

/** The expression by which a file's code reaches a class. */
export type NameClass = (symbol: ts.Symbol) => ts.Expression;

/**
 * A template as an expression. Classes are functions, for they may not be defined yet. The rest is
 * one node of text, which the compiler prints as it is: a node for each value would cost a build
 * several times as much.
 */
export function expressionOf(value: TemplateValue, nameClass: NameClass): ts.Expression {
  const { factory } = ts;
  if (value instanceof ClassReference)
    return factory.createArrowFunction(
      undefined,
      undefined,
      [],
      undefined,
      factory.createToken(ts.SyntaxKind.EqualsGreaterThanToken),
      nameClass(value.symbol),
    );
  if (typeof value !== 'object' || value === null || !needsNodes(value))
    return factory.createIdentifier(JSON.stringify(value));
  if (isList(value))
    return factory.createArrayLiteralExpression(value.map((item) => expressionOf(item, nameClass)));
  return objectOf(value, nameClass);
}

/** An object as a literal of its own, which the metadata generator asks for. */
export function objectOf(value: Template, nameClass: NameClass): ts.ObjectLiteralExpression {
  const { factory } = ts;
  return factory.createObjectLiteralExpression(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) =>
        factory.createPropertyAssignment(keyOf(key), expressionOf(member, nameClass)),
      ),
  );
}

/** Whether JSON cannot say it: a class, or a key that would set the prototype. */
function needsNodes(value: TemplateValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof ClassReference || Object.hasOwn(value, '__proto__')) return true;
  return Object.values(value).some((member: TemplateValue) => needsNodes(member));
}

function isList(value: TemplateValue): value is readonly TemplateValue[] {
  return Array.isArray(value);
}

/** `__proto__` as a plain key would set the prototype. */
function keyOf(key: string): ts.PropertyName {
  const { factory } = ts;
  const text = factory.createStringLiteral(key);
  return key === '__proto__' ? factory.createComputedPropertyName(text) : text;
}
