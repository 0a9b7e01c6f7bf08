import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { AgentError } from '../tool';
import { agentPathsOf } from './controllers';

/**
 * Stops the boot where two agents have one path: requests would reach the first one alone. It does
 * so as it is made, which is before Fastify would refuse the second one's routes in its own words.
 */
@Injectable()
export class PathCheck {
  constructor(modules: ModulesContainer) {
    const paths = agentPathsOf(modules);
    const taken = paths.find((path, index) => paths.indexOf(path) < index);
    if (taken === undefined) return;
    throw new AgentError(
      'invalid_options',
      `Two agents have the path "${taken}". Import AgentModule.forRoot once, since it is global, or give each agent a path of its own.`,
    );
  }
}
