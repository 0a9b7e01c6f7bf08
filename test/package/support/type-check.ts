import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './packed-package';

/** Checks the types of small applications, and reads what they have in common once. */
export class TypeCheck {
  private readonly read = new Map<string, ts.SourceFile | undefined>();

  /**
   * The errors in an application's `main.ts` and in the package. Other packages' declarations are
   * not ours to mend.
   */
  errorsOf(project: string, options: object): readonly string[] {
    const parsed = ts.convertCompilerOptionsFromJson(
      {
        ...{ strict: true, noEmit: true, experimentalDecorators: true },
        ...{ types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
        ...options,
      },
      project,
    );
    const host = this.hostOf(parsed.options);
    const program = ts.createProgram([join(project, 'main.ts')], parsed.options, host);
    const ours = program
      .getSourceFiles()
      .filter(({ fileName }) => /nestjs-agent\/|main\.ts/.test(fileName));
    return [
      ...parsed.errors,
      ...program.getOptionsDiagnostics(),
      ...program.getGlobalDiagnostics(),
      ...ours.flatMap((file) => [
        ...program.getSyntacticDiagnostics(file),
        ...program.getSemanticDiagnostics(file),
      ]),
    ].map((error) => ts.formatDiagnostic(error, FORMAT));
  }

  private hostOf(options: ts.CompilerOptions): ts.CompilerHost {
    const host = ts.createCompilerHost(options);
    const { getSourceFile } = host;
    host.getSourceFile = (path, version, ...rest) => {
      // A file is another one for a newer language, or as a module of the other kind.
      const key = JSON.stringify([path, version]);
      if (!this.read.has(key)) this.read.set(key, getSourceFile(path, version, ...rest));
      return this.read.get(key);
    };
    return host;
  }
}

const FORMAT: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (path) => path,
  getCurrentDirectory: () => ROOT,
  getNewLine: () => '\n',
};
