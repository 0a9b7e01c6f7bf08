import { spawnSync } from 'node:child_process';
import {
  readFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';
import { PluginMetadataGenerator, ReadonlyVisitor, before } from 'nestjs-agent/plugin';
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
}
declare module '@nestjs/common' {
  export const Injectable: () => ClassDecorator;
  export const Controller: (path?: string) => ClassDecorator;
  export const Post: (path?: string) => MethodDecorator;
  export const Body: () => ParameterDecorator;
  export const Query: (name: string) => ParameterDecorator;
  export const Req: () => ParameterDecorator;
}
`;

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.CommonJS,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  types: [],
  skipLibCheck: true,
};

/** A transformer of the compiler, made for a program. */
export type BeforeHook = (program: ts.Program) => ts.TransformerFactory<ts.SourceFile>;

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

  /** Compiles file by file, with what the generator writes beside them. */
  withSwc(): void {
    new PluginMetadataGenerator().generate({
      visitors: [new ReadonlyVisitor({ pathToSource: join(this.folder, 'src') })],
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

  /**
   * Runs Jest with ts-jest and the plugin in it, in a process of its own.
   *
   * @param expression what to answer of the file's exports, in JSON
   */
  withTsJest(file: string, expression: string): unknown {
    const hook = JSON.stringify(join(ROOT, 'test/support/typescript-hook.cjs'));
    const plugin = JSON.stringify(join(ROOT, 'libs/agent/src/plugin/index.ts'));
    this.write({
      'plugin.cjs': `require(${hook});\nmodule.exports = require(${plugin});\n`,
      'nestjs-agent.cjs': 'exports.Tool = () => () => undefined;\n',
      'tsconfig.json': JSON.stringify({
        compilerOptions: { ...OPTIONS, target: 'ES2022', module: 'CommonJS' },
        include: ['src'],
      }),
      'src/said.spec.ts': `import { writeFileSync } from 'node:fs';
import * as exported from './${file}';
it('says', () => writeFileSync(${JSON.stringify(join(this.folder, 'said.json'))}, ${expression}));
`,
      'jest.config.cjs': `module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/src'],
  testRegex: '[.]spec[.]ts$',
  moduleNameMapper: { '^nestjs-agent$': '<rootDir>/nestjs-agent.cjs' },
  transform: {
    '[.]ts$': ['ts-jest', {
      diagnostics: false,
      astTransformers: { before: ['<rootDir>/plugin.cjs'] },
    }],
  },
};
`,
    });
    const path = join(ROOT, 'node_modules/jest/bin/jest.js');
    const args = [path, '--config', 'jest.config.cjs', '--no-cache', '--runInBand'];
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: this.folder,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(readFileSync(join(this.folder, 'said.json'), 'utf8'));
  }

  /** What a compiled file exports. */
  load<Exports extends object>(path: string): Exports {
    return jest.requireActual<Exports>(join(this.folder, path));
  }
}
