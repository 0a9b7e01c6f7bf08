import { PATH_METADATA } from '@nestjs/common/constants';
import type { ModulesContainer } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper';
import type { Type } from '@nestjs/common';
import { ChatController, RunsController } from '.';

/** Metadata of a further agent's controllers: its name. */
export const AGENT_NAME = 'nestjs-agent:agent-name';

/**
 * The chat controller of every agent in the application; it represents all controllers of its
 * agent.
 */
export function chatControllersOf(modules: ModulesContainer): readonly object[] {
  return controllersOf(modules).flatMap(({ metatype }) =>
    isChatController(metatype) ? [metatype] : [],
  );
}

/** The path of every agent in the application, without leading and trailing slashes. */
export function agentPathsOf(modules: ModulesContainer): readonly string[] {
  return chatControllersOf(modules).map(
    (controller) => Reflect.getMetadata(PATH_METADATA, controller) as string,
  );
}

/** The controller of an agent's runs, as Nest made it. */
export interface AgentController {
  /** The further agent; `undefined` for the application's own. */
  readonly agent: string | undefined;
  readonly host: Type<unknown>;
  readonly wrapper: Pick<InstanceWrapper, 'host'>;
}

export function runsControllersOf(modules: ModulesContainer): readonly AgentController[] {
  return controllersOf(modules).flatMap((wrapper) => {
    const { metatype: host } = wrapper;
    if (typeof host !== 'function' || !(host.prototype instanceof RunsController)) return [];
    const agent = Reflect.getMetadata(AGENT_NAME, host) as string | undefined;
    return [{ agent, host: host as Type<unknown>, wrapper }];
  });
}

function controllersOf(modules: ModulesContainer): readonly InstanceWrapper[] {
  return [...modules.values()].flatMap((module) => [...module.controllers.values()]);
}

function isChatController(type: unknown): type is object {
  return typeof type === 'function' && type.prototype instanceof ChatController;
}
