import type { Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants';
import type { ModulesContainer } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper';
import { RunsController } from './runs.controller';

/** Metadata of a further agent's controllers: its name. */
export const AGENT_NAME = 'nestjs-agent:agent-name';

/** The controller of an agent's runs, as Nest made it; it represents all controllers of the agent. */
export interface AgentController {
  /** The further agent; `undefined` for the application's own. */
  readonly agent: string | undefined;
  /** Without leading and trailing slashes. */
  readonly path: string;
  readonly host: Type<unknown>;
  readonly wrapper: Pick<InstanceWrapper, 'host'>;
}

/** One for every agent in the application. */
export function agentControllersOf(modules: ModulesContainer): readonly AgentController[] {
  const wrappers = [...modules.values()].flatMap(({ controllers }) => [...controllers.values()]);
  return wrappers.flatMap((wrapper) => {
    const { metatype: host } = wrapper;
    if (typeof host !== 'function' || !(host.prototype instanceof RunsController)) return [];
    const agent = Reflect.getMetadata(AGENT_NAME, host) as string | undefined;
    const path = Reflect.getMetadata(PATH_METADATA, host) as string;
    return [{ agent, path, host: host as Type<unknown>, wrapper }];
  });
}
