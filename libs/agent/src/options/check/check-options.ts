import type { AgentOptions } from '../agent-options';
import type { AgentModuleAsyncOptions, AgentModuleOptions } from '../module-options';
import { aClass, aFunction, anything, listOf, optionsOf, problemsOf } from '../../checks';
import { InvalidOptionsError } from '../../tool';
import { AGENT_CHECKS, STATIC_CHECKS } from './option-table';

/** Where the options of `forRootAsync` may come from. */
const SOURCES = { useFactory: aFunction, useClass: aClass, useExisting: aClass };

const ofModule = optionsOf<AgentModuleOptions>({ ...STATIC_CHECKS, ...AGENT_CHECKS });
const ofAsyncModule = optionsOf<AgentModuleAsyncOptions>({
  ...STATIC_CHECKS,
  ...SOURCES,
  inject: listOf(anything),
});
const ofSource = optionsOf<AgentOptions>(AGENT_CHECKS);

/** Of `forRoot`. @throws InvalidOptionsError */
export function checkModuleOptions(options: AgentModuleOptions): void {
  refuse(problemsOf(ofModule, options, 'options'));
}

/** Of `forRootAsync`. @throws InvalidOptionsError */
export function checkAsyncOptions<Dependencies extends unknown[]>(
  options: AgentModuleAsyncOptions<Dependencies>,
): void {
  refuse(problemsOf(ofAsyncModule, options, 'options'));
  const given = Object.keys(SOURCES).filter((name) => options[name as 'useFactory'] !== undefined);
  if (given.length === 0) refuse(['options needs one of useFactory, useClass and useExisting']);
  if (given.length > 1) refuse([`options has ${given.join(' and ')}; keep one of them`]);
  if (options.inject && !options.useFactory) {
    refuse([
      `options.inject is for useFactory alone; the class of ${given[0]} asks in its constructor`,
    ]);
  }
}

/** The answer of a factory of options. @throws InvalidOptionsError */
export function checkAnswer(options: AgentOptions | undefined, source: string): void {
  const misplaced = Object.keys(STATIC_CHECKS).filter((key) => key in Object(options));
  refuse(misplaced.map((key) => `${key} belongs beside ${source}, which has answered it`));
  refuse(problemsOf(ofSource, options, `the answer of ${source}`));
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new InvalidOptionsError(problems);
}
