import {
  Controller,
  SetMetadata,
  VERSION_NEUTRAL,
  type ControllerOptions as NestControllerOptions,
  type Type,
} from '@nestjs/common';
import { AGENT_ENDPOINT } from '../discovery';
import {
  AgUiController,
  AiSdkController,
  ChatController,
  describeForSwagger,
  describeTag,
  HealthController,
  OpenAiController,
  ResponsesController,
  RunsController,
  SessionsController,
  ToolsController,
  UiController,
} from './controllers';
import { type ProtocolOptions, servedProtocols } from './options';
import { passOnMetadata } from './pass-on-metadata';

/** Settings of the controllers of one `forRoot`. */
export interface ControllerOptions {
  readonly path: string;
  /**
   * The version of all controllers; by default they serve every version, and requests without one.
   */
  readonly version?: NestControllerOptions['version'];
  /** Decorators for every controller but the public ones. */
  readonly decorators?: readonly ClassDecorator[];
  /** Decorators for the public routes: `/health`, the page and the widget. */
  readonly publicDecorators?: readonly ClassDecorator[];
  /** The protocols of others that are served; all of them by default. */
  readonly protocols?: ProtocolOptions;
}

const GUARDED: readonly Type<unknown>[] = [
  ChatController,
  RunsController,
  SessionsController,
  ToolsController,
];
const PUBLIC: readonly Type<unknown>[] = [HealthController, UiController];

/**
 * The agent's controllers, as classes created per `forRoot`, so that one application's decorators
 * never reach another's agent.
 */
export function createAgentControllers(options: ControllerOptions): Type<unknown>[] {
  const { decorators = [], publicDecorators = [], protocols } = options;
  return [
    ...[...GUARDED, ...speaking(protocols)].map((base) => controllerOf(base, options, decorators)),
    ...PUBLIC.map((base) => controllerOf(base, options, publicDecorators)),
  ];
}

/** The controllers of the protocols of others. */
function speaking(options: ProtocolOptions | undefined): readonly Type<unknown>[] {
  const { aiSdk, agUi, completions, responses } = servedProtocols(options);
  return [
    ...(aiSdk ? [AiSdkController] : []),
    ...(agUi ? [AgUiController] : []),
    ...(completions ? [OpenAiController] : []),
    ...(responses ? [ResponsesController] : []),
  ];
}

function controllerOf(
  base: Type<unknown>,
  { path, version = VERSION_NEUTRAL }: ControllerOptions,
  decorators: readonly ClassDecorator[],
): Type<unknown> {
  describeForSwagger(base);
  const controller = class extends (base as Type<object>) {};
  Object.defineProperty(controller, 'name', { value: `Agent${base.name}` });
  const own: ClassDecorator[] = [SetMetadata(AGENT_ENDPOINT, true), Controller({ path, version })];
  describeTag(controller, 'agent');
  // As if they were written above the class in this order: the last one is applied first.
  for (const decorate of own.reverse()) decorate(controller);
  passOnMetadata(controller, () => {
    for (const decorate of [...decorators].reverse()) decorate(controller);
  });
  return controller;
}
