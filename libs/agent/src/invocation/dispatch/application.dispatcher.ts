import type { HttpAdapterHost } from '@nestjs/core';
import { outsideRequests } from '../../internal';
import { AgentError } from '../../tool';
import type { CallerConnection, Dispatcher, RouteRequest, RouteResponse } from './dispatcher';
import {
  type HandlerScope,
  InProcessDispatcher,
  type RequestTarget,
} from './in-process.dispatcher';

interface Fastify {
  ready(): PromiseLike<unknown>;
}

/** Sends requests to its own application while that runs. Connects at the first call. */
export class ApplicationDispatcher implements Dispatcher {
  private isReady = false;
  private opened: Promise<InProcessDispatcher> | undefined;

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly scope?: HandlerScope,
  ) {}

  start(): void {
    this.isReady = true;
  }

  async dispatch(
    request: RouteRequest,
    caller: CallerConnection,
    signal: AbortSignal,
  ): Promise<RouteResponse> {
    if (!this.isReady) {
      throw new AgentError(
        'not_ready',
        'Route tools can be called while the application runs, not while it starts or stops.',
      );
    }
    // Shared by all calls, so it must not keep the first call's async context.
    this.opened ??= outsideRequests(() => this.open());
    return (await this.opened).dispatch(request, caller, signal);
  }

  async close(): Promise<void> {
    this.isReady = false;
    await (await this.opened)?.close();
  }

  private async open(): Promise<InProcessDispatcher> {
    const adapter = this.adapterHost.httpAdapter;
    // Fastify has no routes before `ready()`, and accepts none after it.
    if (adapter.getType() === 'fastify') await adapter.getInstance<Fastify>().ready();
    const server = adapter.getHttpServer() as RequestTarget;
    return new InProcessDispatcher(server, this.scope);
  }
}
