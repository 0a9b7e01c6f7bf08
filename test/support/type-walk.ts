import { sep } from 'node:path';
import ts from 'typescript';

/** Finds the library's types in signatures, and in the signatures of those. */
export class TypeWalk {
  private readonly seen = new Set<ts.Symbol>();
  private readonly found = new Set<ts.Symbol>();

  constructor(private readonly checker: ts.TypeChecker) {}

  from(symbols: readonly ts.Symbol[]): ReadonlySet<ts.Symbol> {
    for (const symbol of symbols) this.open(symbol);
    return this.found;
  }

  private open(symbol: ts.Symbol): void {
    if (this.seen.has(symbol)) return;
    this.seen.add(symbol);
    for (const declaration of ownDeclarations(symbol)) this.read(declaration);
  }

  private read(node: ts.Node): void {
    if (isHidden(node)) return;
    if (ts.isFunctionLike(node)) return this.readSignature(node);
    if ((ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) && node.type) {
      return this.read(node.type);
    }
    if (ts.isTypeReferenceNode(node)) this.take(node.typeName);
    if (ts.isExpressionWithTypeArguments(node)) this.take(node.expression, { isBase: true });
    ts.forEachChild(node, (child) => this.read(child));
  }

  private readSignature({ typeParameters, parameters, type }: ts.SignatureDeclaration): void {
    for (const part of [...(typeParameters ?? []), ...parameters]) this.read(part);
    if (type) this.read(type);
  }

  private take(name: ts.Node, { isBase = false } = {}): void {
    const symbol = this.checker.getSymbolAtLocation(name);
    if (symbol === undefined) return;
    const type =
      symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
    const [declaration] = ownDeclarations(type);
    if (declaration === undefined || ts.isTypeParameterDeclaration(declaration)) return;
    // A base is never written by itself, nor is an alias that only its file knows.
    const isInlined = ts.isTypeAliasDeclaration(declaration) && !isExported(declaration);
    if (!isBase && !isInlined) this.found.add(type);
    this.open(type);
  }
}

function ownDeclarations({ declarations = [] }: ts.Symbol): readonly ts.Declaration[] {
  const library = `${sep}libs${sep}agent${sep}src${sep}`;
  return declarations.filter((each) =>
    each.getSourceFile().fileName.replaceAll('/', sep).includes(library),
  );
}

function isExported(declaration: ts.TypeAliasDeclaration): boolean {
  return declaration.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

/** What declarations do not show. */
function isHidden(node: ts.Node): boolean {
  const isPrivate =
    ts.canHaveModifiers(node) &&
    node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword) === true;
  const isInternal =
    ts.isClassElement(node) &&
    ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal');
  return isPrivate || isInternal || ts.isBlock(node);
}
