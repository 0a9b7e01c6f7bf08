import * as ts from 'typescript';
import { targetOf } from '../types';

export function decoratorsOf(node: ts.Node): readonly ts.Decorator[] {
  return (ts.canHaveDecorators(node) && ts.getDecorators(node)) || [];
}

/** A decorator's name in the source. */
export function decoratorName(decorator: ts.Decorator): string | undefined {
  return nameOf(decorator)?.text;
}

function nameOf({ expression }: ts.Decorator): ts.Identifier | undefined {
  const called = ts.isCallExpression(expression) ? expression.expression : expression;
  const name = ts.isPropertyAccessExpression(called) ? called.name : called;
  return ts.isIdentifier(name) ? name : undefined;
}

/** The `@Tool` of this library on a method, under any imported name. */
export function toolDecorator(
  method: ts.MethodDeclaration,
  checker: ts.TypeChecker,
): ts.Decorator | undefined {
  return decoratorsOf(method).find((decorator) => {
    const name = nameOf(decorator);
    const symbol = name && checker.getSymbolAtLocation(name);
    if (symbol === undefined) return false;
    const target = targetOf(symbol, checker);
    const isAlias = target !== symbol;
    return target.declarations?.some(isOurs) === true || (isAlias && isImportedFromUs(symbol));
  });
}

function isOurs(declaration: ts.Declaration): boolean {
  const file = declaration.getSourceFile().fileName;
  const name = ts.getNameOfDeclaration(declaration);
  return (
    name !== undefined &&
    ts.isIdentifier(name) &&
    name.text === 'Tool' &&
    /[\\/]decorators[\\/]tool\.decorator\.(?:d\.)?ts$/.test(file)
  );
}

/** Works even if the compiler does not resolve the package. */
function isImportedFromUs({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some(
    (one) =>
      ts.isImportSpecifier(one) &&
      (one.propertyName ?? one.name).text === 'Tool' &&
      ts.isStringLiteral(one.parent.parent.parent.moduleSpecifier) &&
      one.parent.parent.parent.moduleSpecifier.text === 'nestjs-agent',
  );
}

/** Whether the options of a `@Tool` set a property. */
export function sets({ expression }: ts.Decorator, option: string): boolean {
  const [options] = ts.isCallExpression(expression) ? expression.arguments : [];
  return (
    options !== undefined &&
    ts.isObjectLiteralExpression(options) &&
    options.properties.some(({ name }) => name !== undefined && name.getText() === option)
  );
}
