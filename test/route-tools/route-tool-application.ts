import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import {
  AgentModule,
  type AgentModuleOptions,
  offline,
  ToolCallFactory,
  type ToolDefinition,
  ToolRegistry,
  type ToolResponse,
} from 'nestjs-agent';
import type { JsonObject } from '../../libs/agent/src/message';

export type AdapterName = 'express' | 'fastify';

export interface RouteToolSetup extends ModuleMetadata {
  readonly adapter?: AdapterName;
  readonly options?: AgentModuleOptions;
  /** Runs before the application starts. */
  readonly configure?: (app: INestApplication) => unknown;
}

/** An application with an agent, started but not listening, and short ways to its tools. */
export class RouteToolApplication {
  private constructor(readonly app: INestApplication) {}

  static async start({
    adapter = 'express',
    options = {},
    configure,
    ...metadata
  }: RouteToolSetup): Promise<RouteToolApplication> {
    const builder = Test.createTestingModule({
      ...metadata,
      imports: [
        ...(metadata.imports ?? []),
        AgentModule.forRoot({ model: offline(), defaultPermission: 'allow', ...options }),
      ],
    });
    const compiled = await builder.setLogger(false as never).compile();
    const app =
      adapter === 'express'
        ? compiled.createNestApplication({ logger: false })
        : compiled.createNestApplication(new FastifyAdapter(), { logger: false });
    await configure?.(app);
    await app.init();
    return new RouteToolApplication(app);
  }

  definition(name: string): ToolDefinition {
    const definition = this.app.get(ToolRegistry).get(name);
    if (!definition) throw new Error(`there is no tool ${name}`);
    return definition;
  }

  async call(
    name: string,
    input: JsonObject = {},
    request?: unknown,
    signal?: AbortSignal,
  ): Promise<ToolResponse> {
    const { response } = await this.app.get(ToolCallFactory).create(name, input, {
      ...(request !== undefined && { request }),
      ...(signal && { signal }),
    });
    return response.status === 'pending' ? response.execute() : response;
  }

  /** The result of a call that has to succeed. */
  async result(name: string, input: JsonObject = {}, request?: unknown): Promise<unknown> {
    const response = await this.call(name, input, request);
    if (response.status !== 'executed') {
      throw new Error(`${name}: ${response.status}, ${response.error?.message}`);
    }
    return response.result;
  }

  close(): Promise<void> {
    return this.app.close();
  }
}
