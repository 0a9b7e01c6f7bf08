import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

/** A TypeScript project in a folder of its own, for as long as a test takes. */
export class Project {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'agent-plugin-')));

  constructor(private readonly files: Readonly<Record<string, string>>) {
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
    return ts.createProgram(this.sources('src/package.d.ts'), {
      ...OPTIONS,
      rootDir: join(this.folder, 'src'),
      outDir: join(this.folder, 'tsc'),
    });
  }

  /** Compiles as `nest build` does. @returns the errors, each as the compiler prints it */
  withTsc(hooks: readonly BeforeHook[] = [AGENT]): readonly string[] {
    const program = this.program();
    const { diagnostics } = program.emit(undefined, undefined, undefined, false, {
      before: hooks.map((hook) => hook(program)),
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

  /** What a compiled file exports. */
  load<Exports>(path: string): Exports {
    return jest.requireActual<Exports>(join(this.folder, path));
  }

  private sources(...more: readonly string[]): string[] {
    return [...Object.keys(this.files), ...more].map((path) => join(this.folder, path));
  }
}
