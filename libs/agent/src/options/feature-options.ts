import type { FactoryProvider, Type } from '@nestjs/common';
import type { WorkbenchOptions } from '../http/options';
import type { ToolSelection } from '../invocation';
import type { AgentOptions } from './agent-options';
import type { AgentModuleStaticOptions } from './module-options';

/**
 * A further agent's options, except those of `AgentFeatureStaticOptions`: the result of the factory
 * of `AgentModule.forFeatureAsync`.
 *
 * @example
 * const options: AgentFeatureOptions = {
 *   description: 'Answers questions about orders and returns',
 *   systemPrompt: 'You help the support staff of a bookshop.',
 *   tools: { include: ['orders_*', 'returns'], exclude: ['*_delete'] },
 *   permissions: { 'refund_*': 'ask' },
 * };
 */
export interface AgentFeatureOptions extends Pick<
  AgentOptions,
  | 'description'
  | 'model'
  | 'models'
  | 'systemPrompt'
  | 'maxSteps'
  | 'maxTokens'
  | 'budget'
  | 'ui'
  | 'permissions'
  | 'defaultPermission'
  | 'presets'
  | 'visible'
  | 'agents'
> {
  /**
   * The tools that the agent has, by patterns; all by default. A pattern that matches no tool stops
   * the boot.
   */
  readonly tools?: ToolSelection;
}

/**
 * Options of a further agent that Nest needs before it injects anything.
 *
 * @example
 * const options: AgentFeatureStaticOptions = {
 *   name: 'support',
 *   imports: [AuthModule],
 *   decorators: [UseGuards(JwtAuthGuard)],
 * };
 */
export interface AgentFeatureStaticOptions extends Pick<
  AgentModuleStaticOptions,
  'imports' | 'decorators' | 'publicDecorators'
> {
  /** The agent's name: 1 to 64 letters, digits or underscores; no other agent may have it. */
  readonly name: string;
  /** The path of the agent's endpoints; its name by default. `false` serves nothing. */
  readonly path?: string | false;
  /**
   * The file of evaluations on the agent's workbench; none by default. `forRoot` decides whether there
   * is a workbench and which callers see all tools on it.
   *
   * @experimental
   */
  readonly workbench?: Pick<WorkbenchOptions, 'evals'>;
}

/**
 * Options of `AgentModule.forFeature`. An option that is left out has the value of the application's
 * own agent, except the system prompt, which is empty.
 *
 * @example
 * const options: AgentModuleFeatureOptions = {
 *   name: 'support',
 *   decorators: [UseGuards(JwtAuthGuard)],
 *   tools: { include: ['orders_*'] },
 * };
 */
export interface AgentModuleFeatureOptions extends AgentFeatureOptions, AgentFeatureStaticOptions {}

/**
 * Creates the options of a further agent, for `useClass` and `useExisting` of
 * `AgentModule.forFeatureAsync`.
 */
export interface AgentFeatureOptionsFactory {
  /** The options, except those beside `useClass` or `useExisting`. */
  createAgentOptions(): AgentFeatureOptions | Promise<AgentFeatureOptions>;
}

/**
 * Options of `AgentModule.forFeatureAsync`, with one of `useFactory`, `useClass` and `useExisting`.
 *
 * @typeParam Dependencies the types of the providers in `inject`, in order
 * @example
 * const options: AgentModuleFeatureAsyncOptions<[Settings]> = {
 *   name: 'support',
 *   inject: [Settings],
 *   useFactory: (settings) => ({ systemPrompt: settings.prompt }),
 * };
 */
export interface AgentModuleFeatureAsyncOptions<
  Dependencies extends unknown[] = never[],
> extends AgentFeatureStaticOptions {
  /** The tokens of the factory's arguments; none by default. */
  readonly inject?: FactoryProvider['inject'];
  /** Creates the options, except those of the controllers, which stand beside it. */
  readonly useFactory?: (
    ...dependencies: Dependencies
  ) => AgentFeatureOptions | Promise<AgentFeatureOptions>;
  /** A class that Nest instantiates in the agent's module; it creates the options. */
  readonly useClass?: Type<AgentFeatureOptionsFactory>;
  /** The class of an existing provider that creates the options. */
  readonly useExisting?: Type<AgentFeatureOptionsFactory>;
}
