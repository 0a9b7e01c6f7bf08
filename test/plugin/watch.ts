import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before } from 'nestjs-agent/plugin';
import ts from 'typescript';
import type { Project } from './project';

/** The declarations of the language, which are read once for all builds. */
const language = new Map<string, ts.SourceFile>();

/** A build of a project that goes on after changes, as `nest start --watch` does. */
export class Watch {
  private builder: ts.EmitAndSemanticDiagnosticsBuilderProgram | undefined;
  private readonly known = new Map<string, ts.SourceFile>();

  constructor(
    private readonly project: Project,
    /** Whether the state is stored, for builds of later processes. */
    private readonly isStored = false,
  ) {
    if (isStored) this.builder = this.earlier();
  }

  /**
   * Builds what has changed.
   *
   * @param areDeclarationsFirst whether they are emitted before the code, by themselves
   * @returns the names of the files written, and errors
   */
  build(areDeclarationsFirst = false): {
    readonly written: readonly string[];
    readonly errors: readonly string[];
  } {
    const { host } = this;
    this.builder = ts.createEmitAndSemanticDiagnosticsBuilderProgram(
      this.project.paths,
      this.options,
      host,
      this.builder,
    );
    const written: string[] = [];
    const write: ts.WriteFileCallback = (path, text) => {
      host.writeFile(path, text, false);
      if (path.endsWith('.js')) written.push(path.split('/').at(-1) ?? '');
    };
    const transformers = { before: [before({}, this.builder.getProgram())] };
    if (areDeclarationsFirst)
      while (this.builder.emitNextAffectedFile(write, undefined, true, transformers));
    const { diagnostics } = this.builder.emit(undefined, write, undefined, false, transformers);
    return {
      written: written.sort(),
      // With doubles, for `nest build` prints them as they come.
      errors: diagnostics.map(({ messageText }) =>
        ts.flattenDiagnosticMessageText(messageText, ''),
      ),
    };
  }

  private get options(): ts.CompilerOptions {
    const { folder } = this.project;
    const stored = { incremental: true, tsBuildInfoFile: join(folder, 'state.tsbuildinfo') };
    return { ...this.project.options, ...(this.isStored && stored) };
  }

  /** It hands over the same object for a file that has not changed, as a watching compiler does. */
  private get host(): ts.CompilerHost {
    const host = ts.createIncrementalCompilerHost(this.options);
    const { getSourceFile } = host;
    host.getSourceFile = (path, target, ...rest) => {
      const isOfLanguage = path.includes('/typescript/lib/');
      const known = isOfLanguage ? language : this.known;
      const present = known.get(path);
      if (present && (isOfLanguage || present.text === textOf(path))) return present;
      const file = getSourceFile(path, target, ...rest);
      if (file) known.set(path, file);
      return file;
    };
    return host;
  }

  private earlier(): ts.EmitAndSemanticDiagnosticsBuilderProgram | undefined {
    return ts.readBuilderProgram(this.options, {
      useCaseSensitiveFileNames: () => true,
      getCurrentDirectory: () => this.project.folder,
      readFile: (path) => ts.sys.readFile(path),
    });
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
