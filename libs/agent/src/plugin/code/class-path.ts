import { posix } from 'node:path';
import * as ts from 'typescript';

/** Where a class is to be had: in the same file, or exported by another one. */
export type ClassPath =
  | { readonly kind: 'here'; readonly name: string }
  | { readonly kind: 'module'; readonly file: string; readonly name: string }
  | { readonly kind: 'package'; readonly specifier: string; readonly name: string };

/** How a file reaches a class; `undefined` where it cannot. */
export function classPathOf(symbol: ts.Symbol, from: ts.SourceFile): ClassPath | undefined {
  const declaration = symbol.declarations?.find(ts.isClassDeclaration);
  if (!declaration) return undefined;
  const file = declaration.getSourceFile();
  const name = exportedName(declaration);
  if (file === from) {
    const isTop = ts.isSourceFile(declaration.parent);
    return isTop && declaration.name ? { kind: 'here', name: declaration.name.text } : undefined;
  }
  if (name === undefined) return undefined;
  if (!file.isDeclarationFile) return { kind: 'module', file: file.fileName, name };
  const specifier = importedFrom(declaration, from);
  return specifier === undefined ? undefined : { kind: 'package', specifier, name };
}

/** Whether a file's code can reach a class. */
export function canReach(symbol: ts.Symbol, from: ts.SourceFile): boolean {
  return classPathOf(symbol, from) !== undefined;
}

/** The name under which a file exports a class. */
export function exportedName(node: ts.ClassLikeDeclaration): string | undefined {
  if (!ts.isClassDeclaration(node) || !ts.isSourceFile(node.parent)) return undefined;
  const flags = ts.getCombinedModifierFlags(node);
  if ((flags & ts.ModifierFlags.Default) !== 0) return 'default';
  const own = node.name?.text;
  if ((flags & ts.ModifierFlags.Export) !== 0 || own === undefined) return own;
  for (const statement of node.parent.statements) {
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier) continue;
    if (!statement.exportClause || !ts.isNamedExports(statement.exportClause)) continue;
    for (const one of statement.exportClause.elements)
      if ((one.propertyName ?? one.name).text === own) return one.name.text;
  }
  return undefined;
}

/** The module that a file imports a package's class from, by the class's own name. */
function importedFrom(declaration: ts.ClassDeclaration, from: ts.SourceFile): string | undefined {
  const own = declaration.name?.text;
  for (const statement of from.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier))
      continue;
    const named = statement.importClause?.namedBindings;
    if (!named || !ts.isNamedImports(named)) continue;
    if (named.elements.some((one) => (one.propertyName ?? one.name).text === own))
      return statement.moduleSpecifier.text;
  }
  return undefined;
}

/** The path of a file from a folder, as an import has it. */
export function importPath(folder: string, file: string, extension: '' | '.js'): string {
  const relative = posix.relative(slashes(folder), slashes(file));
  const path = relative.startsWith('.') ? relative : `./${relative}`;
  return path.replace(/\.([cm]?)tsx?$/, (_, kind: string) =>
    kind === '' ? extension : `.${kind}js`,
  );
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/');
}
