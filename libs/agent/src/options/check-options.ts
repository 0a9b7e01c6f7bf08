import type { AgentModuleAsyncOptions, AgentModuleOptions, AgentOptions } from './agent-options';
import { InvalidOptionsError } from './invalid-options.error';
import { aFunction, anything, listOf, optionsOf } from './option-check';
import { AGENT_CHECKS, STATIC_CHECKS } from './option-table';

const ofModule = optionsOf<AgentModuleOptions>({ ...STATIC_CHECKS, ...AGENT_CHECKS });
const ofAsyncModule = optionsOf<AgentModuleAsyncOptions>({
  ...STATIC_CHECKS,
  inject: listOf(anything),
  useFactory: aFunction,
});
const ofFactory = optionsOf<AgentOptions>(AGENT_CHECKS);

/** Of `forRoot`. @throws InvalidOptionsError */
export function checkModuleOptions(options: AgentModuleOptions): void {
  refuse(ofModule(options, 'options'));
}

/** Of `forRootAsync`. @throws InvalidOptionsError */
export function checkAsyncOptions(options: { readonly useFactory?: unknown }): void {
  refuse(ofAsyncModule(options, 'options'));
  refuse(aFunction(options.useFactory, 'options.useFactory'));
}

/** What the factory of `forRootAsync` answered. @throws InvalidOptionsError */
export function checkFactoryOptions(options: AgentOptions | undefined): void {
  const misplaced = Object.keys(STATIC_CHECKS).filter((key) => key in (options ?? {}));
  refuse(misplaced.map((key) => `${key} belongs beside useFactory, which has answered it`));
  refuse(ofFactory(options, 'the answer of useFactory'));
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new InvalidOptionsError(problems);
}
