import { posix } from 'node:path';
import * as ts from 'typescript';
import { targetOf } from '../types';
import { isEsmFile } from './module-format';

/** The location of a class: in the same file, or exported by another one. */
type ClassPath =
  | { readonly kind: 'here'; readonly name: string }
  | { readonly kind: 'module'; readonly file: string; readonly name: string }
  | { readonly kind: 'package'; readonly specifier: string; readonly name: string };

/** How a file reaches a class; `undefined` if it cannot. */
export function classPathOf(
  symbol: ts.Symbol,
  from: ts.SourceFile,
  program: ts.Program,
): ClassPath | undefined {
  const declaration = symbol.declarations?.find(ts.isClassDeclaration);
  if (!declaration) return undefined;
  const file = declaration.getSourceFile();
  if (file === from) {
    const isTop = ts.isSourceFile(declaration.parent);
    return isTop && declaration.name ? { kind: 'here', name: declaration.name.text } : undefined;
  }
  // A file inside a package is not importable by its path: the module that the file imports from
  // counts.
  if (file.isDeclarationFile) return importedPath(symbol, from, program);
  const name = exportedName(declaration);
  return name === undefined ? undefined : { kind: 'module', file: file.fileName, name };
}

/** Whether a file's code can reach a class. */
export function canReach(symbol: ts.Symbol, from: ts.SourceFile, program: ts.Program): boolean {
  return classPathOf(symbol, from, program) !== undefined;
}

/** The name under which a file exports a class. */
export function exportedName(node: ts.ClassLikeDeclaration): string | undefined {
  if (!ts.isClassDeclaration(node) || !ts.isSourceFile(node.parent)) return undefined;
  const flags = ts.getCombinedModifierFlags(node);
  if ((flags & ts.ModifierFlags.Default) !== 0) return 'default';
  const own = node.name?.text;
  if ((flags & ts.ModifierFlags.Export) !== 0 || own === undefined) return own;
  for (const statement of node.parent.statements) {
    if (isDefaultExport(statement, own)) return 'default';
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier) continue;
    if (!statement.exportClause || !ts.isNamedExports(statement.exportClause)) continue;
    for (const one of statement.exportClause.elements)
      if ((one.propertyName ?? one.name).text === own) return one.name.text;
  }
  return undefined;
}

/** `export default Order;` */
function isDefaultExport(statement: ts.Statement, name: string): boolean {
  if (!ts.isExportAssignment(statement) || statement.isExportEquals === true) return false;
  return ts.isIdentifier(statement.expression) && statement.expression.text === name;
}

/** The path to a class in a module from which the file already imports. */
function importedPath(
  symbol: ts.Symbol,
  from: ts.SourceFile,
  program: ts.Program,
): ClassPath | undefined {
  const checker = program.getTypeChecker();
  for (const statement of from.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier))
      continue;
    if (isOfTypesAlone(statement)) continue;
    const module = checker.getSymbolAtLocation(statement.moduleSpecifier);
    const exports = module ? checker.getExportsOfModule(module) : [];
    const exported = exports.find((one) => targetOf(one, checker) === symbol);
    if (!module || !exported) continue;
    const { name } = exported;
    const specifier = statement.moduleSpecifier.text;
    const file = module.declarations?.find(ts.isSourceFile);
    const options = program.getCompilerOptions();
    // For an ES module, the default of a CommonJS one is the object of all its exports.
    const isAll =
      file && name === 'default' && isEsmFile(from, options) && !isEsmFile(file, options);
    if (isAll) return undefined;
    return file && isPath(specifier, file, options)
      ? { kind: 'module', file: file.fileName, name }
      : { kind: 'package', specifier, name };
  }
  return undefined;
}

/** An import that does not exist at run time; its module may be missing then. */
function isOfTypesAlone({ importClause }: ts.ImportDeclaration): boolean {
  if (!importClause) return false;
  const { isTypeOnly, name, namedBindings } = importClause;
  if (isTypeOnly) return true;
  if (name || !namedBindings || !ts.isNamedImports(namedBindings)) return false;
  const { elements } = namedBindings;
  return elements.length > 0 && elements.every((one) => one.isTypeOnly);
}

/** Whether a module is imported by a path: Node does not know the aliases of `paths`. */
function isPath(specifier: string, file: ts.SourceFile, options: ts.CompilerOptions): boolean {
  if (specifier.startsWith('.')) return true;
  if (!isAlias(specifier, options)) return false;
  // An alias may also lead to hand-written types of a package, without code beside them.
  const code = file.fileName.replace(/\.d\.([cm]?)ts$/, '.$1js');
  return !file.isDeclarationFile || ts.sys.fileExists(code);
}

/** Whether `paths` of the project define the module's name: Node does not know them. */
function isAlias(specifier: string, { paths = {} }: ts.CompilerOptions): boolean {
  return Object.keys(paths).some((pattern) => {
    const [start = '', end] = pattern.split('*');
    if (end === undefined) return specifier === pattern;
    return start !== '' && specifier.startsWith(start) && specifier.endsWith(end);
  });
}

/** The path of a file from a folder, in the form of an import. */
export function importPath(folder: string, file: string, extension: '' | '.js'): string {
  const relative = posix.relative(slashes(folder), slashes(file));
  const path = relative.startsWith('.') ? relative : `./${relative}`;
  return path.replace(/(?:\.d)?\.([cm]?)tsx?$/, (_, kind: string) =>
    kind === '' ? extension : `.${kind}js`,
  );
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/');
}
