import * as ts from 'typescript';
import { ClassReference, type TemplateValue } from '../types';

/** The expression by which a file's code reaches a class. */
export type NameClass = (symbol: ts.Symbol) => ts.Expression;

/** A template as an expression. Classes are functions, for they may not be defined yet. */
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
  if (isList(value))
    return factory.createArrayLiteralExpression(value.map((item) => expressionOf(item, nameClass)));
  switch (typeof value) {
    case 'string':
      return factory.createStringLiteral(value);
    case 'number':
      return numberOf(value);
    case 'boolean':
      return value ? factory.createTrue() : factory.createFalse();
    case 'object':
      if (value === null) return factory.createNull();
      return factory.createObjectLiteralExpression(
        Object.entries(value)
          .filter(([, member]) => member !== undefined)
          .map(([key, member]) =>
            factory.createPropertyAssignment(keyOf(key), expressionOf(member, nameClass)),
          ),
      );
    default:
      return factory.createVoidZero();
  }
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

function numberOf(value: number): ts.Expression {
  const { factory } = ts;
  if (!Number.isFinite(value)) return factory.createNull();
  const literal = factory.createNumericLiteral(Math.abs(value));
  return value < 0
    ? factory.createPrefixUnaryExpression(ts.SyntaxKind.MinusToken, literal)
    : literal;
}
