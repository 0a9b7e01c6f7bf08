import * as ts from 'typescript';
import { analyzeFile, lineOf } from '../classes';
import { canReach, withMembers } from '../code';
import { type AgentPluginOptions, settingsOf } from '../plugin-options';

/**
 * The transformer's name, for the cache of ts-jest.
 *
 * @example
 * import { name, version } from 'nestjs-agent/plugin';
 *
 * const cached = `${name}@${version}`;
 */
export const name = 'nestjs-agent/plugin';

/**
 * The version of the transformer's output, for the cache of ts-jest.
 *
 * @example
 * import { version } from 'nestjs-agent/plugin';
 *
 * const isFirst = version === 1;
 */
export const version = 1;

/** The part of ts-jest's compiler that the transformer reads. */
export interface JestCompiler {
  /** The program; missing if ts-jest compiles file by file. */
  readonly program?: ts.Program;
}

/**
 * The transformer for ts-jest: `astTransformers: { before: ['nestjs-agent/plugin'] }`.
 *
 * @param compiler ts-jest's compiler
 * @param options the transformer's options in the configuration of ts-jest
 * @throws TypeError for a wrong option, or with `isolatedModules`, which has no types
 * @throws Error listing every position whose type cannot be described
 * @example
 * const transform = {
 *   '^.+[.]ts$': ['ts-jest', { astTransformers: { before: ['nestjs-agent/plugin'] } }],
 * };
 */
export function factory(
  compiler: JestCompiler,
  options: AgentPluginOptions = {},
): ts.TransformerFactory<ts.SourceFile> {
  const settings = settingsOf(options);
  return (context) => (file) => {
    const { program } = compiler;
    if (!program || isOfOneFile(program))
      throw new TypeError(
        'nestjs-agent/plugin: ts-jest must have types. Switch off "isolatedModules" in the tsconfig that it reads, and its "transpilation".',
      );
    const original = ts.getOriginalNode(file, ts.isSourceFile);
    const seen = program.getSourceFile(original.fileName) ?? original;
    const { classes, problems } = analyzeFile(seen, program, settings, canReach);
    if (problems.length > 0) throw new Error(problems.map(lineOf).join('\n'));
    return withMembers(file, classes, program, context);
  };
}

/**
 * Whether ts-jest compiles file by file: for some kinds of modules it creates a program for each.
 */
function isOfOneFile(program: ts.Program): boolean {
  const { isolatedModules, noResolve } = program.getCompilerOptions();
  return isolatedModules === true && noResolve === true;
}
