import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { agentPathsOf } from './controllers';
import { HTTP_OPTIONS } from './http.constants';
import type { AgentHttpOptions } from './http-options.interface';
import { agentPaths, installOnExpress, installOnFastify } from './body';

/**
 * Has the endpoints' bodies read with the agent's own limit, whichever the application's parser
 * has, and their failures told in the agent's words.
 */
@Injectable()
export class BodyParsing {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly modules: ModulesContainer,
    @Inject(HTTP_OPTIONS) private readonly options: AgentHttpOptions,
  ) {}

  /** Call it from the module's `configure`: after the adapter's parsers, before its routes. */
  install(): void {
    const { httpAdapter } = this.host;
    const { path, limits } = this.options;
    const paths = agentPaths(path, limits, agentPathsOf(this.modules));
    if (httpAdapter?.getType() === 'fastify') {
      installOnFastify(httpAdapter.getInstance(), paths);
    } else if (httpAdapter?.getType() === 'express') {
      installOnExpress(httpAdapter.getInstance(), paths);
    }
  }
}
