import * as ts from 'typescript';
import type { FileAnalysis } from '../classes';
import { withMembers } from '../code';
import { type AgentPluginOptions, settingsOf } from '../plugin-options';
import { Analyses } from './analyses';
import { findsState, watchEmit } from './watched-emit';

// A watch build calls the plugin for each of its programs, with the files that did not change.
const known = new Map<string, WeakMap<ts.SourceFile, FileAnalysis>>();

/**
 * The transformer that `nest build` and `nest start` run before TypeScript's own, for `"plugins":
 * ["nestjs-agent/plugin"]`.
 *
 * @param options the plugin's options in `nest-cli.json`
 * @param program the program that is compiled
 * @throws TypeError for a wrong option, or without a program
 * @example
 * import { before } from 'nestjs-agent/plugin';
 * import ts from 'typescript';
 *
 * const program = ts.createProgram(['src/main.ts'], { strict: true });
 * const transformer = before({}, program);
 * program.emit(undefined, undefined, undefined, false, { before: [transformer] });
 */
export function before(
  options: AgentPluginOptions | undefined,
  program: ts.Program | undefined,
): ts.TransformerFactory<ts.SourceFile> {
  if (!program)
    throw new TypeError(
      'nestjs-agent/plugin: the compiler must hand over a program. Types are needed, so switch off "isolatedModules" and "transpileOnly" where they compile file by file.',
    );
  const settings = settingsOf(options);
  const key = JSON.stringify(settings);
  let files = known.get(key);
  if (!files) known.set(key, (files = new WeakMap<ts.SourceFile, FileAnalysis>()));
  const analyses = new Analyses(program, settings, files);
  watchEmit(program, analyses, findsState(program.getCompilerOptions()));
  return (context) => (file) => {
    const original = ts.getOriginalNode(file, ts.isSourceFile);
    return withMembers(file, analyses.of(original).classes, program, context);
  };
}
