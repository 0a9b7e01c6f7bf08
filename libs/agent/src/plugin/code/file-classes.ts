import { dirname } from 'node:path';
import * as ts from 'typescript';
import { classPathOf, importPath } from './class-path';
import { isEsmFile } from './module-format';

/** The names of classes in the code of one file, and the imports that they need. */
export class FileClasses {
  private readonly imports = new Map<string, string>();
  private readonly isEsm: boolean;
  private names = 0;

  constructor(
    private readonly file: ts.SourceFile,
    private readonly program: ts.Program,
  ) {
    this.isEsm = isEsmFile(file, program.getCompilerOptions());
  }

  /** @throws TypeError for a class that the file cannot reach */
  nameOf(symbol: ts.Symbol): string {
    const path = classPathOf(symbol, this.file, this.program);
    if (path === undefined) throw new TypeError(`${symbol.name} cannot be named here.`);
    if (path.kind === 'here') return path.name;
    const specifier =
      path.kind === 'package'
        ? path.specifier
        : importPath(dirname(this.file.fileName), path.file, this.isEsm ? '.js' : '');
    // `require` at the time of the call, so that files may need one another.
    const module = this.isEsm ? this.imported(specifier) : `require(${JSON.stringify(specifier)})`;
    return `${module}.${path.name}`;
  }

  /** The file with the imports that its code needs. */
  withImports(file: ts.SourceFile): ts.SourceFile {
    if (this.imports.size === 0) return file;
    const { factory } = ts;
    const imports = [...this.imports].map(([specifier, name]) =>
      factory.createImportDeclaration(
        undefined,
        factory.createImportClause(
          false,
          undefined,
          factory.createNamespaceImport(factory.createIdentifier(name)),
        ),
        factory.createStringLiteral(specifier),
      ),
    );
    return factory.updateSourceFile(file, [...imports, ...file.statements]);
  }

  private imported(specifier: string): string {
    let name = this.imports.get(specifier);
    if (name === undefined) {
      do name = `agentTypes_${(this.names += 1)}`;
      while (this.file.text.includes(name));
      this.imports.set(specifier, name);
    }
    return name;
  }
}
