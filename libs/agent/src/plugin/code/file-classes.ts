import { dirname } from 'node:path';
import * as ts from 'typescript';
import { classPathOf, importPath } from './class-path';

/** How the code of one file names classes, and the imports that it needs for that. */
export class FileClasses {
  private readonly imports = new Map<string, ts.Identifier>();

  constructor(
    private readonly file: ts.SourceFile,
    private readonly isEsm: boolean,
  ) {}

  nameOf(symbol: ts.Symbol): ts.Expression {
    const { factory } = ts;
    const path = classPathOf(symbol, this.file);
    if (path === undefined) throw new TypeError(`${symbol.name} cannot be named here.`);
    if (path.kind === 'here') return factory.createIdentifier(path.name);
    const specifier =
      path.kind === 'package'
        ? path.specifier
        : importPath(dirname(this.file.fileName), path.file, this.isEsm ? '.js' : '');
    const module = this.isEsm ? this.imported(specifier) : required(specifier);
    return factory.createPropertyAccessExpression(module, path.name);
  }

  /** The file with the imports that its code needs. */
  withImports(file: ts.SourceFile): ts.SourceFile {
    if (this.imports.size === 0) return file;
    const { factory } = ts;
    const imports = [...this.imports].map(([specifier, name]) =>
      factory.createImportDeclaration(
        undefined,
        factory.createImportClause(false, undefined, factory.createNamespaceImport(name)),
        factory.createStringLiteral(specifier),
      ),
    );
    return factory.updateSourceFile(file, [...imports, ...file.statements]);
  }

  private imported(specifier: string): ts.Identifier {
    let name = this.imports.get(specifier);
    if (!name) {
      name = ts.factory.createUniqueName('agentTypes');
      this.imports.set(specifier, name);
    }
    return name;
  }
}

/** At the time of the call, so that files may need one another. */
function required(specifier: string): ts.Expression {
  const { factory } = ts;
  return factory.createCallExpression(factory.createIdentifier('require'), undefined, [
    factory.createStringLiteral(specifier),
  ]);
}

/** Whether a file is emitted with `import` and `export`. */
export function isEsmFile(file: ts.SourceFile, options: ts.CompilerOptions): boolean {
  const { module = ts.ModuleKind.CommonJS } = options;
  if (module >= ts.ModuleKind.Node16 && module <= ts.ModuleKind.NodeNext)
    return file.impliedNodeFormat === ts.ModuleKind.ESNext;
  return module >= ts.ModuleKind.ES2015;
}
