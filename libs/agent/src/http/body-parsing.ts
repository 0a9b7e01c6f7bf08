import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { agentPathsOf } from './controllers';
import { HTTP_OPTIONS } from './http.constants';
import type { AgentHttpOptions } from './http-options.interface';
import {
  type AgentPaths,
  agentPaths,
  endpointPaths,
  installOnExpress,
  installOnFastify,
} from './body';
import type { Failure } from './errors';

/**
 * Has the endpoints' bodies read with a limit of their own, whichever the application's parser has,
 * and their failures told in the agent's words.
 *
 * @example
 * import { BodyParsing } from 'nestjs-agent/endpoints';
 *
 * \@Module({})
 * export class NotesModule implements NestModule {
 *   constructor(private readonly bodies: BodyParsing) {}
 *
 *   configure(): void {
 *     this.bodies.accept('notes', 1_048_576);
 *   }
 * }
 */
@Injectable()
export class BodyParsing {
  /** @internal */
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly modules: ModulesContainer,
    @Inject(HTTP_OPTIONS) private readonly options: AgentHttpOptions,
  ) {}

  /** For the agent's own endpoints, where it has some. @internal */
  install(): void {
    const { path, limits } = this.options;
    const served = agentPathsOf(this.modules);
    if (served.includes(path === '' ? '/' : path)) this.read(agentPaths(path, limits, served));
  }

  /**
   * For an endpoint of another module. Call it from that module's `configure`: after the adapter's
   * parsers, before its routes.
   *
   * @param path the endpoint's, without prefix and version
   * @param bodyBytes how large a body may be
   * @param failureOf what a client is told whose body cannot be read; Nest's envelope by default
   */
  accept(path: string, bodyBytes: number, failureOf?: (error: unknown) => Failure): void {
    this.read(endpointPaths(path, bodyBytes, failureOf));
  }

  private read(paths: AgentPaths): void {
    const { httpAdapter } = this.host;
    if (httpAdapter?.getType() === 'fastify') {
      installOnFastify(httpAdapter.getInstance(), paths);
    } else if (httpAdapter?.getType() === 'express') {
      installOnExpress(httpAdapter.getInstance(), paths);
    }
  }
}
