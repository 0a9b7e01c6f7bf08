import * as ts from 'typescript';
import { diagnosticOf } from '../classes';
import type { Analyses } from './analyses';

/** A program with members that TypeScript declares as internal. */
interface BuilderProgram extends ts.Program {
  emit(...args: [...Parameters<ts.Program['emit']>, ...BuilderArguments]): ts.EmitResult;
  /** Called by a builder at the end of each build, whether or not it stores its state. */
  emitBuildInfo(...args: readonly unknown[]): ts.EmitResult;
}

/** Builders pass a flag when only the state is written; since TypeScript 5.6. */
type BuilderArguments = [forceDeclarations?: boolean, isInfoApart?: boolean];

/**
 * Makes a program report the plugin's problems as compiler errors, and emit files that an
 * incremental build would miss: TypeScript re-emits a file if one of its imports has changed, but a
 * tool's schema may depend on types further away.
 *
 * @param isResumed whether the build continues from the stored state of an earlier process
 */
export function watchEmit(given: ts.Program, analyses: Analyses, isResumed: boolean): void {
  const program = given as BuilderProgram;
  const emit = program.emit.bind(program);
  const emitBuildInfo = program.emitBuildInfo.bind(program);
  // Before any new analysis: the known descriptions are those that were emitted.
  const outdated = new Set(analyses.outdated());
  // The build may emit them as well.
  const done = new Map<ts.SourceFile, ts.EmitResult>();
  let isFirst = true;
  // Before TypeScript 5.6 a builder cannot be recognised: each file's result has its errors.
  let isTold = false;
  program.emit = (target, writeFile, token, parts, transformers, ...rest) => {
    // A builder also emits declarations to compare them.
    if (!transformers?.before?.length)
      return emit(target, writeFile, token, parts, transformers, ...rest);
    const earlier = target && done.get(target);
    if (earlier) return earlier;
    const result = emit(target, writeFile, token, parts, transformers, ...rest);
    // Declarations alone are `true`, and to a builder 1; code alone is 0.
    if (parts) return result;
    const files = target ? [target] : program.getSourceFiles().filter(isSource);
    if (target && isFirst) {
      isFirst = false;
      if (isResumed) for (const file of analyses.resting()) outdated.add(file);
      outdated.delete(target);
      for (const file of outdated)
        done.set(file, emit(file, writeFile, token, undefined, transformers, ...rest));
      files.push(...outdated);
    }
    const [, isBuilder] = rest;
    if (isBuilder) return result;
    isTold = true;
    return { ...result, diagnostics: [...result.diagnostics, ...errorsOf(files, analyses)] };
  };
  // A builder stores each file's diagnostics and repeats them until it emits the file again. It
  // would keep the plugin's diagnostics of a file that it did not emit itself, so it gets all of
  // them at its end.
  program.emitBuildInfo = (...args) => {
    if (isTold) return emitBuildInfo(...args);
    const diagnostics = errorsOf(program.getSourceFiles().filter(isSource), analyses);
    // With errors no state is stored: the next process builds these files again and reports them.
    return diagnostics.length > 0 ? { emitSkipped: true, diagnostics } : emitBuildInfo(...args);
  };
}

function errorsOf(files: readonly ts.SourceFile[], analyses: Analyses): readonly ts.Diagnostic[] {
  return files.flatMap((file) => analyses.of(file).problems).map(diagnosticOf);
}

function isSource({ isDeclarationFile }: ts.SourceFile): boolean {
  return !isDeclarationFile;
}

/** Whether an earlier incremental build has stored its state. */
export function findsState(options: ts.CompilerOptions): boolean {
  if (options.incremental !== true && options.composite !== true) return false;
  const path = (
    ts as unknown as {
      getTsBuildInfoEmitOutputFilePath?: (options: ts.CompilerOptions) => string | undefined;
    }
  ).getTsBuildInfoEmitOutputFilePath?.(options);
  return path === undefined || ts.sys.fileExists(path);
}
