import * as ts from 'typescript';
import type { Template, TemplateValue } from '../types';

/** The JSON of a constant expression; `undefined` for any other. */
export function constantOf(node: ts.Expression, checker: ts.TypeChecker): TemplateValue {
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node)
  )
    return constantOf(node.expression, checker);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isBigIntLiteral(node)) return safe(Number(node.text.slice(0, -1)));
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (node.kind === ts.SyntaxKind.NullKeyword) return null;
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    const value = constantOf(node.operand, checker);
    return typeof value === 'number' ? -value : undefined;
  }
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
    return memberOf(node, checker);
  if (ts.isArrayLiteralExpression(node)) {
    const items = node.elements.map((item) => constantOf(item, checker));
    return items.includes(undefined) ? undefined : items;
  }
  return ts.isObjectLiteralExpression(node) ? objectOf(node, checker) : undefined;
}

/** The value of an enum's member. The checker knows it by the expression for `const enum` alone. */
function memberOf(
  node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  checker: ts.TypeChecker,
): string | number | undefined {
  const name = ts.isPropertyAccessExpression(node) ? node.name : node.argumentExpression;
  const member = checker.getSymbolAtLocation(name)?.valueDeclaration;
  return member && ts.isEnumMember(member) ? checker.getConstantValue(member) : undefined;
}

function objectOf(node: ts.ObjectLiteralExpression, checker: ts.TypeChecker): Template | undefined {
  const members: [string, TemplateValue][] = [];
  for (const property of node.properties) {
    if (!ts.isPropertyAssignment(property)) return undefined;
    const { name } = property;
    if (!ts.isIdentifier(name) && !ts.isStringLiteral(name)) return undefined;
    const value = constantOf(property.initializer, checker);
    if (value === undefined) return undefined;
    members.push([name.text, value]);
  }
  return Object.fromEntries(members);
}

function safe(value: number): number | undefined {
  return Number.isSafeInteger(value) ? value : undefined;
}
