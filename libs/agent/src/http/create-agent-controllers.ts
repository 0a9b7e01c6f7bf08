import { Controller, SetMetadata, UseInterceptors, type Type } from '@nestjs/common';
import { AGENT_ENDPOINT } from '../discovery';
import { ChatController } from './controllers/chat.controller';
import { HealthController } from './controllers/health.controller';
import { OpenAiController } from './controllers/openai.controller';
import { RunsController } from './controllers/runs.controller';
import { SessionsController } from './controllers/sessions.controller';
import { ToolsController } from './controllers/tools.controller';
import { UiController } from './controllers/ui.controller';
import { documentedTag } from './documented.decorator';
import { AgentErrorInterceptor } from './errors/agent-error.interceptor';

/** What shapes the controllers of one `forRoot`. */
export interface ControllerOptions {
  readonly path: string;
  /** Decorators for every controller but the public ones. */
  readonly decorators?: readonly ClassDecorator[];
  /** Decorators for what anybody may read: `/health`, the page and the widget. */
  readonly publicDecorators?: readonly ClassDecorator[];
}

const GUARDED: readonly Type<unknown>[] = [
  ChatController,
  RunsController,
  SessionsController,
  ToolsController,
  OpenAiController,
];
const PUBLIC: readonly Type<unknown>[] = [HealthController, UiController];

/**
 * The agent's controllers, as classes made for one `forRoot`, so that one application's decorators
 * never reach another's agent.
 */
export function createAgentControllers(options: ControllerOptions): Type<unknown>[] {
  const { path, decorators = [], publicDecorators = [] } = options;
  return [
    ...GUARDED.map((base) => controllerOf(base, path, decorators)),
    ...PUBLIC.map((base) => controllerOf(base, path, publicDecorators)),
  ];
}

function controllerOf(
  base: Type<unknown>,
  path: string,
  decorators: readonly ClassDecorator[],
): Type<unknown> {
  const controller = class extends (base as Type<object>) {};
  Object.defineProperty(controller, 'name', { value: `Agent${base.name}` });
  const own: readonly ClassDecorator[] = [
    SetMetadata(AGENT_ENDPOINT, true),
    UseInterceptors(AgentErrorInterceptor),
    documentedTag('agent'),
    Controller(path),
  ];
  // As if they stood above the class in this order: the last one is applied first.
  for (const decorate of [...decorators, ...own].reverse()) decorate(controller);
  return controller;
}
