import { PATH_METADATA } from '@nestjs/common/constants';
import type { ModulesContainer } from '@nestjs/core';
import { ChatController } from '.';

/** Metadata of a further agent's controllers: its name. */
export const AGENT_NAME = 'nestjs-agent:agent-name';

/**
 * The chat controller of every agent in the application; it represents all controllers of its
 * agent.
 */
export function chatControllersOf(modules: ModulesContainer): readonly object[] {
  return [...modules.values()]
    .flatMap((module) => [...module.controllers.values()])
    .flatMap(({ metatype }) => (isChatController(metatype) ? [metatype] : []));
}

/** The path of every agent in the application, without leading and trailing slashes. */
export function agentPathsOf(modules: ModulesContainer): readonly string[] {
  return chatControllersOf(modules).map(
    (controller) => Reflect.getMetadata(PATH_METADATA, controller) as string,
  );
}

function isChatController(type: unknown): type is object {
  return typeof type === 'function' && type.prototype instanceof ChatController;
}
