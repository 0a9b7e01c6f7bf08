import { Controller, SetMetadata, VERSION_NEUTRAL, type Type } from '@nestjs/common';
import { VERSION_METADATA } from '@nestjs/common/constants';
import { AGENT_ENDPOINT } from '../discovery';
import { capitalised } from '../internal';
import type { Swagger } from './answers';
import {
  AGENT_NAME,
  AgUiController,
  AiSdkController,
  ChatController,
  describeForSwagger,
  HealthController,
  loadSwagger,
  OpenAiController,
  ResponsesController,
  RunsController,
  SessionsController,
  ToolsController,
  UiController,
} from './controllers';
import { type EndpointSettings, servedProtocols, servesWorkbench } from './options';
import { decorateController } from './decorate-controller';
import { WorkbenchController, WorkbenchPageController } from './workbench';

/** Settings of the controllers of one agent. */
export interface ControllerOptions extends EndpointSettings {
  readonly path: string;
  /** The name of a further agent; missing for the application's own. */
  readonly agent?: string;
  /** Decorators for every controller but the public ones. */
  readonly decorators?: readonly ClassDecorator[];
  /** Decorators for the public routes: `/health`, the page and the widget. */
  readonly publicDecorators?: readonly ClassDecorator[];
}

/** Those that the public decorators are for. */
const PUBLIC: readonly Type<unknown>[] = [HealthController, UiController, WorkbenchPageController];

const ALL = classesServedBy({ workbench: true });

/**
 * The controllers of one agent, as classes of its own, so that its decorators reach no other agent.
 */
export function createAgentControllers(options: ControllerOptions): Type<unknown>[] {
  const swagger = loadSwagger();
  return classesServedBy(options).map((base) => controllerOf(base, options, swagger));
}

/** All classes for a further agent, whose settings are known only once the main agent exists. */
function classesServedBy({
  agent,
  protocols,
  workbench = agent !== undefined,
}: Pick<ControllerOptions, 'agent' | 'protocols' | 'workbench'>): readonly Type<unknown>[] {
  const { aiSdk, agUi, completions, responses } = servedProtocols(protocols);
  const hasWorkbench = servesWorkbench(workbench);
  return [
    ChatController,
    RunsController,
    SessionsController,
    ToolsController,
    ...(aiSdk ? [AiSdkController] : []),
    ...(agUi ? [AgUiController] : []),
    ...(completions ? [OpenAiController] : []),
    ...(responses ? [ResponsesController] : []),
    ...(hasWorkbench ? [WorkbenchController] : []),
    HealthController,
    UiController,
    ...(hasWorkbench ? [WorkbenchPageController] : []),
  ];
}

function controllerOf(
  base: Type<unknown>,
  { path, version = VERSION_NEUTRAL, agent, decorators, publicDecorators }: ControllerOptions,
  swagger: Swagger | undefined,
): Type<unknown> {
  if (swagger) describeForSwagger(swagger, base);
  const controller = class extends (base as Type<object>) {};
  // Documentation makes operation ids of it.
  const prefix = agent === undefined ? 'Agent' : `${capitalised(agent)}Agent`;
  Object.defineProperty(controller, 'name', { value: `${prefix}${base.name}` });
  swagger?.ApiTags(agent ?? 'agent')(controller);
  Controller({ path, version })(controller);
  SetMetadata(AGENT_NAME, agent)(controller);
  SetMetadata(AGENT_ENDPOINT, true)(controller);
  decorateController(controller, (PUBLIC.includes(base) ? publicDecorators : decorators) ?? []);
  return controller;
}

/**
 * Gives the controllers of further agents the settings of the application's own endpoints, which
 * are not known when they are made. To be called before Nest registers routes.
 *
 * @param controllers those of a module, from which the agents' that are not served are removed
 */
export function applyEndpointSettings(
  controllers: Map<unknown, { readonly metatype: unknown }>,
  settings: EndpointSettings,
): void {
  const served = classesServedBy(settings);
  const { version } = settings;
  for (const [token, { metatype }] of controllers) {
    const base: unknown = Object.getPrototypeOf(metatype);
    if (!ALL.includes(base as Type<unknown>)) continue;
    if (!served.includes(base as Type<unknown>)) controllers.delete(token);
    else if (version !== undefined) {
      Reflect.defineMetadata(VERSION_METADATA, version, metatype as object);
    }
  }
}
