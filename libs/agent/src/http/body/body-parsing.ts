import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Failure } from '../errors';
import { type AgentHttpOptions, HTTP_OPTIONS } from '../options';
import { type AgentPaths, agentPaths, endpointPaths } from './agent-paths';
import { installOnExpress } from './express-body';
import { installOnFastify } from './fastify-body';

/**
 * Reads the endpoints' bodies with their own limit, independent of the application's parser, and
 * formats body errors as the agent does.
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
    @Inject(HTTP_OPTIONS) private readonly options: AgentHttpOptions,
  ) {}

  /**
   * Installs the limits of the agents' own endpoints.
   *
   * @internal
   */
  install(paths: readonly string[]): void {
    if (paths.length > 0) this.read(agentPaths(paths, this.options.limits));
  }

  /**
   * Adds an endpoint of another module. Call it from that module's `configure`: after the adapter's
   * parsers, before its routes.
   *
   * @param path the endpoint's path, without prefix and version
   * @param bodyBytes the maximum size of a body
   * @param failureOf formats the error of an unreadable body; Nest's envelope by default
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
