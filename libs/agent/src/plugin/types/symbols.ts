import * as ts from 'typescript';
import { isPublic } from './declared';

/** The symbol that gives a type its name: an alias, an interface, a class. */
export function namedSymbol(type: ts.Type): ts.Symbol | undefined {
  const symbol = type.aliasSymbol ?? type.getSymbol();
  return symbol === undefined || symbol.name.startsWith('__') ? undefined : symbol;
}

/** The symbol that an alias, such as an import, stands for; any other symbol as it is. */
export function targetOf(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(symbol) : symbol;
}

export function writtenType(declaration: ts.Declaration): ts.Node | undefined {
  return (declaration as { readonly type?: ts.Node }).type;
}

export function isLiteral({ flags }: ts.Symbol): boolean {
  return (flags & (ts.SymbolFlags.TypeLiteral | ts.SymbolFlags.ObjectLiteral)) !== 0;
}

/** Whether JSON omits a member: symbols, private members, and those of a class's prototype. */
export function isUnseen(property: ts.Symbol): boolean {
  if (property.name.startsWith('__@') || property.name.startsWith('__#')) return true;
  return (property.declarations ?? []).some(
    (one) =>
      (ts.isClassElement(one) && !isPublic(one)) ||
      (ts.isAccessor(one) && ts.isClassLike(one.parent)),
  );
}

export function isMethodOfClass(property: ts.Symbol): boolean {
  return (property.declarations ?? []).some(ts.isMethodDeclaration);
}

export function isOptional(property: ts.Symbol, checker: ts.TypeChecker): boolean {
  const isMarked = (property.flags & ts.SymbolFlags.Optional) !== 0;
  return isMarked || takesUndefined(checker.getTypeOfSymbol(property));
}

export function takesUndefined(type: ts.Type): boolean {
  return type.isUnion() && type.types.some(({ flags }) => (flags & ts.TypeFlags.Undefined) !== 0);
}
