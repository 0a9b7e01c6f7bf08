import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
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
import type { JsonObject } from 'nestjs-agent/types';

export type AdapterName = 'express' | 'fastify';

export interface RouteToolSetup extends ModuleMetadata {
  readonly adapter?: AdapterName;
  readonly options?: AgentModuleOptions;
  /** Serves HTTPS. */
  readonly https?: {
    readonly key: string;
    readonly cert: string;
    readonly maxHeaderSize?: number;
  };
  /** Proxies whose word on the client is taken, in the adapter's own notation. */
  readonly trustProxy?: string;
  /** Whether `A` and `a` are two routes; the adapter's own default where it does not say. */
  readonly isCaseSensitive?: boolean;
  /** Reads queries in place of Fastify's own parser. */
  readonly querystringParser?: (query: string) => object;
  /** Whether `@RawBody()` gets the bytes of a body. */
  readonly rawBody?: boolean;
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
    https,
    trustProxy,
    isCaseSensitive,
    querystringParser,
    rawBody = false,
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
    const quiet = { logger: false, rawBody } as const;
    let app: INestApplication;
    if (adapter === 'express') {
      const express = compiled.createNestApplication<NestExpressApplication>({
        ...quiet,
        ...(https && { httpsOptions: https }),
      });
      // As `new ExpressAdapter(express().enable('case sensitive routing'))` would have it.
      if (isCaseSensitive !== undefined) routerOf(express).caseSensitive = isCaseSensitive;
      if (trustProxy !== undefined) express.set('trust proxy', trustProxy);
      app = express;
    } else {
      const fastify = new FastifyAdapter({
        ...(https && { https }),
        ...(trustProxy !== undefined && { trustProxy }),
        routerOptions: {
          ...(isCaseSensitive !== undefined && { caseSensitive: isCaseSensitive }),
          ...(querystringParser && { querystringParser }),
        },
      } as Record<string, unknown>);
      app = compiled.createNestApplication(fastify, quiet);
    }
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

function routerOf(app: NestExpressApplication): { caseSensitive: boolean } {
  const { router } = app.getHttpAdapter().getInstance() as unknown as {
    readonly router: { caseSensitive: boolean };
  };
  return router;
}
