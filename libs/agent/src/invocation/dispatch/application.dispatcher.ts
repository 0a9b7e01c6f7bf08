import { AsyncResource } from 'node:async_hooks';
import type { HttpAdapterHost } from '@nestjs/core';
import { AgentError } from '../../tool';
import type { CallerConnection, Dispatcher, RouteRequest, RouteResponse } from './dispatcher';
import {
  type HandlerScope,
  InProcessDispatcher,
  type RequestTarget,
} from './in-process.dispatcher';

/** How far the application has come: requests are served only once it has started. */
interface Readiness {
  readonly hasStarted: boolean;
}

interface Fastify {
  ready(): PromiseLike<unknown>;
}

/** Sends requests to the application that it is part of, from the first call on. */
export class ApplicationDispatcher implements Dispatcher {
  // What the first call opens serves all others, and so must not keep that call's async context.
  private readonly boot = new AsyncResource('NestjsAgentBoot');
  private opened: Promise<InProcessDispatcher> | undefined;

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly readiness: Readiness,
    private readonly scope?: HandlerScope,
  ) {}

  async dispatch(
    request: RouteRequest,
    caller: CallerConnection,
    signal: AbortSignal,
  ): Promise<RouteResponse> {
    if (!this.readiness.hasStarted) {
      throw new AgentError(
        'not_ready',
        'Route tools can be called while the application runs, not while it starts or stops.',
      );
    }
    this.opened ??= this.boot.runInAsyncScope(() => this.open());
    return (await this.opened).dispatch(request, caller, signal);
  }

  async close(): Promise<void> {
    await (await this.opened)?.close();
  }

  private async open(): Promise<InProcessDispatcher> {
    const adapter = this.adapterHost.httpAdapter;
    // Fastify has no routes before; asked too early, it would refuse those still to come.
    if (adapter.getType() === 'fastify') await adapter.getInstance<Fastify>().ready();
    const server = adapter.getHttpServer() as RequestTarget;
    return new InProcessDispatcher(server, this.scope);
  }
}
