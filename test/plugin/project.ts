import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';
import {
  before,
  type MetadataVisitor,
  PluginMetadataGenerator,
  ReadonlyVisitor,
} from 'nestjs-agent/plugin';
import tsJest from 'ts-jest';
import type { AgentOptions } from 'nestjs-agent';
import ts from 'typescript';

export const ROOT = join(__dirname, '../..');

/** The part of the package that sources of these tests import: its whole would take seconds. */
const PACKAGE = `declare module 'nestjs-agent' {
  export function Tool(options?: object): MethodDecorator;
  export function ToolParam(...options: unknown[]): ParameterDecorator;
  export function ToolField(options?: object): PropertyDecorator;
}
declare module 'node:util' {
  export function inspect(value: unknown, options?: object): string;
}
declare module 'class-validator' {
  export const IsString: () => PropertyDecorator;
  export const MaxLength: (length: number) => PropertyDecorator;
  export const IsOptional: () => PropertyDecorator;
  export const IsArray: () => PropertyDecorator;
  export const IsObject: () => PropertyDecorator;
}
declare module '@nestjs/common' {
  export interface Type<T = any> extends Function { new (...args: any[]): T }
  export const Injectable: () => ClassDecorator;
  export const Controller: (path?: string) => ClassDecorator;
  export const Get: (path?: string) => MethodDecorator;
  export const Post: (path?: string) => MethodDecorator;
  export const Body: (name?: string, ...pipes: unknown[]) => ParameterDecorator;
  export const Param: (name?: string) => ParameterDecorator;
  export const Query: (name?: string) => ParameterDecorator;
  export const Headers: (name?: string) => ParameterDecorator;
  export const Req: () => ParameterDecorator;
  export class ParseIntPipe { constructor(options?: { optional?: boolean }) }
}
`;

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  // Without the browser's, which are most of all.
  lib: ['lib.es2022.d.ts'],
  module: ts.ModuleKind.CommonJS,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  types: [],
  skipLibCheck: true,
};

/** A transformer of the compiler, made for a program. */
export type BeforeHook = (program: ts.Program) => ts.TransformerFactory<ts.SourceFile>;

type AmongVisitors = (own: MetadataVisitor, folder: string) => readonly MetadataVisitor[];

export const AGENT: BeforeHook = (program) => before({}, program);

/** The declarations of the language, which are read once for all projects. */
const language = new Map<string, ts.SourceFile | undefined>();

function hostOf(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (path, ...rest) => {
    if (!path.includes('/typescript/lib/')) return getSourceFile(path, ...rest);
    if (!language.has(path)) language.set(path, getSourceFile(path, ...rest));
    return language.get(path);
  };
  return host;
}

/** A TypeScript project in a folder of its own, for as long as a test takes. */
export class Project {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'agent-plugin-')));

  constructor(
    private readonly files: Readonly<Record<string, string>>,
    private readonly compilerOptions: ts.CompilerOptions = {},
  ) {
    this.write({ 'src/package.d.ts': PACKAGE, ...files });
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true });
      writeFileSync(join(this.folder, path), text);
    }
  }

  program(): ts.Program {
    return ts.createProgram(this.paths, this.options, hostOf(this.options));
  }

  get options(): ts.CompilerOptions {
    return {
      ...OPTIONS,
      ...this.compilerOptions,
      ...(this.compilerOptions.paths && { baseUrl: this.folder }),
      rootDir: join(this.folder, 'src'),
      outDir: join(this.folder, 'tsc'),
    };
  }

  /** The sources. */
  get paths(): string[] {
    return [...Object.keys(this.files), 'src/package.d.ts'].map((path) => join(this.folder, path));
  }

  /** Compiles as `nest build` does. @returns the errors, each as the compiler prints it */
  withTsc(hooks: readonly BeforeHook[] = [AGENT]): readonly string[] {
    const program = this.program();
    const transformers = hooks.map((hook) => hook(program));
    const { diagnostics } = program.emit(undefined, undefined, undefined, false, {
      before: transformers,
    });
    const all = [...diagnostics, ...ts.getPreEmitDiagnostics(program)];
    return all.map((one) =>
      ts
        .formatDiagnostic(one, {
          getCanonicalFileName: (path) => path,
          getCurrentDirectory: () => this.folder,
          getNewLine: () => '\n',
        })
        .trim(),
    );
  }

  /**
   * Compiles file by file, with what the generator writes beside them.
   *
   * @param among the visitors, from the plugin's own and the folder of sources
   */
  withSwc(among: AmongVisitors = (own) => [own]): void {
    const folder = join(this.folder, 'src');
    new PluginMetadataGenerator().generate({
      visitors: among(new ReadonlyVisitor({ pathToSource: folder }), folder),
      outputDir: join(this.folder, 'src'),
      tsProgramRef: this.program(),
    });
    const written = ts.sys.readFile(join(this.folder, 'src/metadata.ts')) ?? '';
    for (const [path, text] of Object.entries({ ...this.files, 'src/metadata.ts': written })) {
      const { code } = transformSync(text, {
        filename: join(this.folder, path),
        swcrc: false,
        module: { type: 'commonjs' },
        jsc: {
          target: 'es2022',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
      });
      this.write({ [path.replace('src/', 'swc/').replace(/\.ts$/, '.js')]: code });
    }
  }

  /** Compiles file by file, as Jest does with ts-jest. */
  withTsJest(): void {
    const written = { target: 'ES2022', module: 'CommonJS', lib: undefined };
    const compilerOptions = { ...OPTIONS, ...written };
    const plugin = JSON.stringify(join(ROOT, 'libs/agent/src/plugin/index.ts'));
    this.write({
      'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
      // ts-jest itself compiles transformers in TypeScript with a package of its own choice.
      'plugin.cjs': `module.exports = require(${plugin});\n`,
    });
    const transformer = tsJest.createTransformer({
      tsconfig: join(this.folder, 'tsconfig.json'),
      diagnostics: false,
      astTransformers: { before: [join(this.folder, 'plugin.cjs')] },
    });
    const { folder } = this;
    const config = { rootDir: folder, cwd: folder, globals: {}, testMatch: [], testRegex: [] };
    const options = { config, cacheFS: new Map(), transformerConfig: {}, supportsStaticESM: false };
    for (const [path, text] of Object.entries(this.files)) {
      if (path.endsWith('.d.ts')) continue;
      const { code } = transformer.process(text, join(folder, path), options as never);
      this.write({ [path.replace('src/', 'ts-jest/').replace(/\.ts$/, '.js')]: code });
    }
  }

  /** What Nest's generator wrote for SWC, compiled. */
  metadata(): NonNullable<AgentOptions['metadata']> {
    type Generated = { readonly default: NonNullable<AgentOptions['metadata']> };
    return this.load<Generated>('swc/metadata.js').default;
  }

  /** What a compiled file exports. */
  load<Exports extends object>(path: string): Exports {
    return jest.requireActual<Exports>(join(this.folder, path));
  }
}
