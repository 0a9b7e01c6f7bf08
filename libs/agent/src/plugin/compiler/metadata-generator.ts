import type * as ts from 'typescript';

/** A visitor of this plugin, or of another one with the same interface. */
export interface MetadataVisitor {
  /** The name under which its part is written. */
  readonly key: string;
  /** The imports that its part needs, by path. */
  readonly typeImports: Readonly<Record<string, string>>;
  /** Looks at one file. */
  visit(program: ts.Program, file: ts.SourceFile): unknown;
  /** Returns the collected metadata. */
  collect(): unknown;
}

/**
 * Options of `PluginMetadataGenerator.generate`.
 *
 * @example
 * import { type GenerateOptions, ReadonlyVisitor } from 'nestjs-agent/plugin';
 *
 * const options: GenerateOptions = {
 *   visitors: [new ReadonlyVisitor({ pathToSource: __dirname })],
 *   outputDir: __dirname,
 *   tsconfigPath: 'tsconfig.build.json',
 * };
 */
export interface GenerateOptions {
  /** The plugins' visitors; swagger's may be among them. */
  readonly visitors: readonly MetadataVisitor[];
  /** The folder that the file is written to. */
  readonly outputDir: string;
  /** The file's name; `metadata.ts` by default. */
  readonly filename?: string;
  /** Whether to write again at every change of a source; `false` by default. */
  readonly watch?: boolean;
  /** The project; needed without `tsProgramRef`. */
  readonly tsconfigPath?: string;
  /** An existing program; by default one is created from `tsconfigPath`. */
  readonly tsProgramRef?: ts.Program;
  /** Whether the compiler's own errors are printed; `true` by default. */
  readonly printDiagnostics?: boolean;
}

interface NestGenerator {
  generate(options: GenerateOptions): void;
}

/**
 * Writes the metadata that the plugins' visitors collect into one file, which
 * `AgentModule.forRoot({ metadata })` reads. It is the Nest CLI's own generator, so `@nestjs/cli`
 * must be installed.
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
export class PluginMetadataGenerator {
  /**
   * Writes the file.
   *
   * @param options visitors, folder and project
   * @throws Error if `@nestjs/cli` is not installed
   */
  generate(options: GenerateOptions): void {
    const { PluginMetadataGenerator: Generator } =
      require('@nestjs/cli/lib/compiler/plugins/plugin-metadata-generator') as {
        PluginMetadataGenerator: new () => NestGenerator;
      };
    new Generator().generate(options);
  }
}
