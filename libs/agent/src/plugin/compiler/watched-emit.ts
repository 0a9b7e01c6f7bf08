import * as ts from 'typescript';
import { diagnosticOf } from '../classes';
import type { Analyses } from './analyses';

/**
 * Makes a program's `emit` report what the plugin refuses, as the compiler's own errors, and emit
 * what an incremental build would leave behind: TypeScript emits a file again if one that it imports
 * has changed, while a tool's schema may rest on types further away.
 *
 * @param isResumed whether the build goes on from what an earlier process has stored
 */
export function watchEmit(program: ts.Program, analyses: Analyses, isResumed: boolean): void {
  const emit = program.emit.bind(program);
  // Before anything is analysed again: what was known is what was emitted.
  const outdated = new Set(analyses.outdated());
  // The build may come to them as well.
  const done = new Map<ts.SourceFile, ts.EmitResult>();
  let isFirst = true;
  program.emit = (target, writeFile, token, onlyDeclarations, transformers, ...rest) => {
    const earlier = target && onlyDeclarations !== true ? done.get(target) : undefined;
    if (earlier) return earlier;
    const result = emit(target, writeFile, token, onlyDeclarations, transformers, ...rest);
    if (onlyDeclarations === true || !transformers?.before?.length) return result;
    const files = target ? [target] : program.getSourceFiles().filter(isSource);
    const problems = files.flatMap((file) => analyses.of(file).problems);
    const diagnostics = [...result.diagnostics, ...problems.map(diagnosticOf)];
    if (target && isFirst) {
      isFirst = false;
      if (isResumed) for (const file of analyses.resting()) outdated.add(file);
      outdated.delete(target);
      for (const file of outdated) {
        const other = program.emit(file, writeFile, token, onlyDeclarations, transformers);
        diagnostics.push(...other.diagnostics);
        done.set(file, { ...other, diagnostics: [] });
      }
    }
    return { ...result, diagnostics };
  };
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
