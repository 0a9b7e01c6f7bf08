import * as ts from 'typescript';

/** Whether a type comes with the language or with Node. */
export function isBuiltin(symbol: ts.Symbol, program: ts.Program): boolean {
  const [declaration] = symbol.declarations ?? [];
  const file = declaration?.getSourceFile();
  if (file === undefined) return false;
  return (
    program.isSourceFileDefaultLibrary(file) || /[\\/]@types[\\/]node[\\/]/.test(file.fileName)
  );
}

/** The type of the language that a class extends, itself or through others. */
export function builtinBase(type: ts.Type, program: ts.Program): ts.Symbol | undefined {
  for (const base of type.getBaseTypes() ?? []) {
    const symbol = base.getSymbol();
    const isNamed = symbol && (symbol.flags & ts.SymbolFlags.TypeLiteral) === 0;
    if (isNamed && isBuiltin(symbol, program)) return symbol;
    const { target } = base as { readonly target?: ts.Type };
    const found = builtinBase(target ?? base, program);
    if (found) return found;
  }
  return undefined;
}

/** The declaration of a class, if a type is of instances of one. */
export function classOf(type: ts.Type): ts.ClassLikeDeclaration | undefined {
  const symbol = type.getSymbol();
  if (symbol === undefined || (symbol.flags & ts.SymbolFlags.Class) === 0) return undefined;
  return symbol.declarations?.find(ts.isClassLike);
}

/**
 * Whether instances have state that JSON cannot carry: private members, or constructor arguments.
 */
export function hasPrivateState(type: ts.Type, checker: ts.TypeChecker): boolean {
  const seen = new Set<ts.Node>();
  for (let one = classOf(type); one !== undefined && !seen.has(one);) {
    seen.add(one);
    if (one.members.some(isHiddenState)) return true;
    const parent = extended(one);
    one = parent && classOf(checker.getTypeAtLocation(parent));
  }
  return false;
}

function isHiddenState(member: ts.ClassElement): boolean {
  if (ts.isConstructorDeclaration(member))
    return member.parameters.some(({ questionToken, initializer, dotDotDotToken }) => {
      return !questionToken && !initializer && !dotDotDotToken;
    });
  if (!ts.isPropertyDeclaration(member) || isStatic(member)) return false;
  return !isPublic(member);
}

/** Whether a member is one of the public type: neither private nor protected nor `#private`. */
export function isPublic(member: ts.ClassElement): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  const isHidden = (ts.getCombinedModifierFlags(member) & hidden) !== 0;
  return !isHidden && !(member.name && ts.isPrivateIdentifier(member.name));
}

export function isStatic(member: ts.ClassElement): boolean {
  return (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0;
}

/** Whether a class is generic, so that its type arguments are unknown at run time. */
export function isGeneric({ typeParameters }: ts.ClassLikeDeclaration): boolean {
  return (typeParameters?.length ?? 0) > 0;
}

export function isAbstract(declaration: ts.Declaration): boolean {
  return (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Abstract) !== 0;
}

/** The base of a class. */
export function extended(
  node: ts.ClassLikeDeclaration,
): ts.ExpressionWithTypeArguments | undefined {
  return node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
    ?.types[0];
}
