import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { AgentError } from '../tool';
import { agentControllersOf } from './controllers';

/**
 * Stops the boot if two agents have the same path: requests would reach only the first one. It runs
 * in the constructor, before Fastify would reject the second agent's routes with its own error.
 */
@Injectable()
export class PathCheck {
  constructor(modules: ModulesContainer) {
    const paths = agentControllersOf(modules).map(({ path }) => path);
    const taken = paths.find((path, index) => paths.indexOf(path) < index);
    if (taken === undefined) return;
    throw new AgentError(
      'invalid_options',
      `Two agents have the path "${taken}". Import AgentModule.forRoot once, since it is global, or give each agent a path of its own.`,
    );
  }
}
