import * as ts from 'typescript';
import { analyzeFile, lineOf, type Problem, problemAt } from '../classes';
import { classPathOf, exportedName, importPath, isNodeModule, objectOf } from '../code';
import { type AgentPluginOptions, type PluginSettings, settingsOf } from '../plugin-options';

/**
 * Options of `ReadonlyVisitor`.
 *
 * @example
 * import type { ReadonlyVisitorOptions } from 'nestjs-agent/plugin';
 *
 * const options: ReadonlyVisitorOptions = { pathToSource: __dirname };
 */
export interface ReadonlyVisitorOptions extends AgentPluginOptions {
  /** The folder from which the written file's imports start: that of the sources. */
  readonly pathToSource: string;
  /**
   * Whether imports end in `.js`; by default if `module` is `node16` to `nodenext`, where
   * TypeScript requires it.
   */
  readonly esmCompatible?: boolean;
}

/** One file's import, and the descriptions of its classes. */
type WrittenFile = readonly [ts.CallExpression, Readonly<Record<string, ts.Expression>>];

/**
 * Collects the plugin's descriptions without changing code, for builds with SWC: the Nest CLI runs
 * its metadata generator with `"typeCheck": true`.
 *
 * @example
 * import { PluginMetadataGenerator, ReadonlyVisitor } from 'nestjs-agent/plugin';
 *
 * new PluginMetadataGenerator().generate({
 *   visitors: [new ReadonlyVisitor({ pathToSource: __dirname })],
 *   outputDir: __dirname,
 *   tsconfigPath: 'tsconfig.build.json',
 * });
 */
export class ReadonlyVisitor {
  /** The name under which the generator writes the collected metadata. */
  key = 'nestjs-agent/plugin';

  private readonly files = new Map<string, WrittenFile>();
  private readonly imports: Record<string, string> = {};
  private problems: Problem[] = [];
  private readonly settings: PluginSettings;
  private hasEndings = false;

  /**
   * @param options the folder of the sources, and the plugin's options
   * @throws TypeError without `pathToSource`, or for a wrong option
   */
  constructor(private readonly options: ReadonlyVisitorOptions) {
    if (!options.pathToSource)
      throw new TypeError('nestjs-agent/plugin: option "pathToSource" must be a folder.');
    this.settings = settingsOf(options);
  }

  /** The imports that the written file needs, by path. */
  get typeImports(): Readonly<Record<string, string>> {
    return this.imports;
  }

  /**
   * Collects the descriptions of a file's classes.
   *
   * @param program the program that the file belongs to
   * @param file a source file, not a declaration
   */
  visit(program: ts.Program, file: ts.SourceFile): void {
    this.hasEndings = this.options.esmCompatible ?? isNodeModule(program.getCompilerOptions());
    const { classes, problems } = analyzeFile(
      file,
      program,
      this.settings,
      (symbol, from) => this.pathOf(symbol, from, program) !== undefined,
    );
    this.problems.push(...problems);
    const described: Record<string, ts.Expression> = {};
    for (const { node, template } of classes) {
      const name = exportedName(node);
      if (name !== undefined)
        described[name] = objectOf(template, (symbol) => this.nameOf(symbol, file, program));
      else if (template.methods !== undefined) this.problems.push(hidden(node));
    }
    if (Object.keys(described).length === 0) return;
    const { factory } = ts;
    const loaded = factory.createCallExpression(
      factory.createToken(ts.SyntaxKind.ImportKeyword) as unknown as ts.Expression,
      undefined,
      [factory.createStringLiteral(this.importOf(file.fileName))],
    );
    this.files.set(file.fileName, [loaded, described]);
  }

  /**
   * Returns the metadata collected since the last call. Positions whose types cannot be described
   * are written to `stderr`, and the process ends with code 1; the application reports them at boot
   * as well.
   */
  collect(): Readonly<Record<string, readonly WrittenFile[]>> {
    const classes = [...this.files.values()];
    this.files.clear();
    if (this.problems.length > 0) {
      process.exitCode = 1;
      process.stderr.write(`${this.problems.map(lineOf).join('\n')}\n`);
      this.problems = [];
    }
    return { classes };
  }

  private nameOf(symbol: ts.Symbol, from: ts.SourceFile, program: ts.Program): string {
    const path = this.pathOf(symbol, from, program);
    if (path === undefined) throw new TypeError(`${symbol.name} cannot be named here.`);
    this.imports[path.specifier] = `await import(${JSON.stringify(path.specifier)})`;
    return `t[${JSON.stringify(path.specifier)}].${path.name}`;
  }

  /** A class as the written file reaches it. */
  private pathOf(
    symbol: ts.Symbol,
    from: ts.SourceFile,
    program: ts.Program,
  ): { readonly specifier: string; readonly name: string } | undefined {
    const path = classPathOf(symbol, from, program);
    if (path === undefined) return undefined;
    if (path.kind === 'package') return path;
    if (path.kind === 'module') return { specifier: this.importOf(path.file), name: path.name };
    const declaration = symbol.declarations?.find(ts.isClassDeclaration);
    const name = declaration && exportedName(declaration);
    return name === undefined ? undefined : { specifier: this.importOf(from.fileName), name };
  }

  private importOf(file: string): string {
    return importPath(this.options.pathToSource, file, this.hasEndings ? '.js' : '');
  }
}

function hidden(node: ts.ClassLikeDeclaration): Problem {
  return problemAt(
    node.name ?? node,
    node.name?.text ?? 'a class',
    'it has tools and must be exported, for the written file to reach it.',
  );
}
