import * as ts from 'typescript';
import { targetOf } from './symbols';
import type { TemplateValue } from './template';

/**
 * Values in the order of their declaration. The compiler's order depends on which type it meets
 * first, so two builds would write different schemas.
 *
 * @param nodes the nodes that may list the values
 */
export function inDeclaredOrder(
  values: readonly TemplateValue[],
  nodes: readonly (ts.Node | undefined)[],
  checker: ts.TypeChecker,
): readonly TemplateValue[] {
  const declared: TemplateValue[] = [];
  const seen = new Set<ts.Node>();
  const visit = (node: ts.Node): void => {
    if (seen.has(node)) return;
    seen.add(node);
    // `(typeof SIZES)[number]` of `const SIZES = ['s', 'm', 'l'] as const`.
    if (ts.isTypeQueryNode(node)) {
      const constant = initializerOf(node.exprName, checker);
      if (constant) visit(constant);
      return;
    }
    if (ts.isTypeReferenceNode(node)) {
      const type = checker.getTypeFromTypeNode(node);
      for (const one of type.aliasSymbol?.declarations ?? []) visit(one);
    }
    if (ts.isLiteralTypeNode(node)) {
      const type = checker.getTypeFromTypeNode(node);
      if (type.isStringLiteral() || type.isNumberLiteral()) declared.push(type.value);
    } else if (ts.isStringLiteral(node)) declared.push(node.text);
    else if (ts.isNumericLiteral(node)) declared.push(Number(node.text));
    else if (ts.isEnumMember(node)) declared.push(checker.getConstantValue(node));
    else ts.forEachChild(node, visit);
  };
  for (const node of nodes) if (node) visit(node);
  const placeOf = (value: TemplateValue): number => {
    const place = declared.indexOf(value);
    return place === -1 ? declared.length : place;
  };
  return [...values].sort((a, b) => placeOf(a) - placeOf(b) || compare(a, b));
}

/** The initialiser of a constant. */
function initializerOf(name: ts.Node, checker: ts.TypeChecker): ts.Expression | undefined {
  const symbol = checker.getSymbolAtLocation(name);
  const declaration = symbol && targetOf(symbol, checker).valueDeclaration;
  return declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
}

function compare(a: TemplateValue, b: TemplateValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

/** Types in the same order for every build: primitives first, then by position and text. */
export function inStableOrder(
  types: readonly ts.Type[],
  checker: ts.TypeChecker,
): readonly ts.Type[] {
  if (types.length < 2) return types;
  const keyed = types.map((type) => ({ type, key: keyOf(type, checker) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ type }) => type);
}

/** Its file and position, and its text; a type of the language has neither of the first two. */
function keyOf(type: ts.Type, checker: ts.TypeChecker): string {
  const [declaration] = (type.aliasSymbol ?? type.getSymbol())?.declarations ?? [];
  const isOfLanguage = declaration === undefined || declaration.getSourceFile().isDeclarationFile;
  const place = isOfLanguage ? '' : String(declaration.pos).padStart(9, '0');
  const file = isOfLanguage ? '' : declaration.getSourceFile().fileName;
  return [file, place, checker.typeToString(type)].join('\0');
}
