import * as ts from 'typescript';
import { diagnosticOf } from '../classes';
import type { Analyses } from './analyses';

/** A program with what TypeScript declares for itself alone. */
interface BuilderProgram extends ts.Program {
  emit(...args: [...Parameters<ts.Program['emit']>, ...BuilderArguments]): ts.EmitResult;
  /** What a builder ends each of its builds with, whether it stores its state or not. */
  emitBuildInfo(...args: readonly unknown[]): ts.EmitResult;
}

/** Builders tell that the state is written apart; since TypeScript 5.6. */
type BuilderArguments = [forceDeclarations?: boolean, isInfoApart?: boolean];

/**
 * Makes a program report what the plugin refuses, as the compiler's own errors, and emit what an
 * incremental build would leave behind: TypeScript emits a file again if one that it imports has
 * changed, while a tool's schema may rest on types further away.
 *
 * @param isResumed whether the build goes on from what an earlier process has stored
 */
export function watchEmit(given: ts.Program, analyses: Analyses, isResumed: boolean): void {
  const program = given as BuilderProgram;
  const emit = program.emit.bind(program);
  const emitBuildInfo = program.emitBuildInfo.bind(program);
  // Before anything is analysed again: what was known is what was emitted.
  const outdated = new Set(analyses.outdated());
  // The build may come to them as well.
  const done = new Map<ts.SourceFile, ts.EmitResult>();
  let isFirst = true;
  // Before TypeScript 5.6 a builder is not told from others: each file's result has its errors.
  let isTold = false;
  program.emit = (target, writeFile, token, parts, transformers, ...rest) => {
    // A builder emits declarations to compare them as well.
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
  // A builder stores each file's diagnostics, and repeats them until that file is emitted again: it
  // would repeat ours of a file that it did not emit itself. So it gets all of them at its end.
  program.emitBuildInfo = (...args) => {
    if (isTold) return emitBuildInfo(...args);
    const diagnostics = errorsOf(program.getSourceFiles().filter(isSource), analyses);
    // With errors nothing is stored: the next process builds these files again, and reports them.
    return diagnostics.length > 0 ? { emitSkipped: true, diagnostics } : emitBuildInfo(...args);
  };
}

function errorsOf(files: readonly ts.SourceFile[], analyses: Analyses): readonly ts.Diagnostic[] {
  return files.flatMap((file) => analyses.of(file).problems).map(diagnosticOf);
}

function isSource({ isDeclarationFile }: ts.SourceFile): boolean {
  return !isDeclarationFile;
}

/** Whether an incremental build finds the state of an earlier one. */
export function findsState(options: ts.CompilerOptions): boolean {
  if (options.incremental !== true && options.composite !== true) return false;
  const path = (
    ts as unknown as {
      getTsBuildInfoEmitOutputFilePath?: (options: ts.CompilerOptions) => string | undefined;
    }
  ).getTsBuildInfoEmitOutputFilePath?.(options);
  return path === undefined || ts.sys.fileExists(path);
}
