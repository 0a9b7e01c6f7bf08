import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ContextIdFactory, ModuleRef } from '@nestjs/core';
import { type Failure, logFailure, logInternal } from '../errors';
import { SESSION_HEADER } from '../options';
import { TakenResponse } from '../wire';
import { type Exchange, servedBy, type Served } from './served';
import { WorkerEntry } from './worker-entry';

/** Headers that keep caches from storing an answer, or serving it to another caller. */
const PRIVATE_HEADERS = {
  'cache-control': 'no-store',
  vary: `Authorization, Cookie, ${SESSION_HEADER}`,
} as const;

/**
 * Serves the agent's endpoints. It is bound to every handler, so it runs after all guards of the
 * application, both global and from the module's `decorators`, and before the first interceptor:
 * access has been decided, and no interceptor can replace the answer.
 */
@Injectable()
export class ServingGuard implements CanActivate {
  constructor(private readonly module: ModuleRef) {}

  /** Never refuses: the endpoint answers errors itself. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const served = servedBy(context.getHandler());
    if (served === undefined) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<{ params?: Exchange['params'] }>();
    // Like guards, the controller may be request-scoped.
    const contextId = ContextIdFactory.getByRequest(request);
    const controller = await this.module.resolve<object>(context.getClass(), contextId);
    const common = served.isPublic ? {} : PRIVATE_HEADERS;
    const response = new TakenResponse(request, http.getResponse(), common);
    const entry = WorkerEntry.of(request);
    if (entry) {
      entry.admit(request);
      response.send(204);
      return true;
    }
    void this.serve(served, controller, { request, params: request.params ?? {}, response });
    return true;
  }

  /** Not awaited by the guard: interceptors see the request while it is being answered. */
  private async serve(
    { serve, failureOf }: Served,
    controller: object,
    exchange: Exchange,
  ): Promise<void> {
    const { response } = exchange;
    try {
      const body: unknown = await serve.call(controller, exchange);
      if (body !== undefined) response.json(200, body);
    } catch (error) {
      logInternal(error);
      this.fail(response, failureOf(error));
    }
  }

  /** Always answers the client, even if middleware has changed the response. */
  private fail(response: TakenResponse, { status, headers, body }: Failure): void {
    try {
      response.json(status, body, headers);
    } catch (error) {
      logFailure(error);
    }
    if (!response.isOver) response.destroy();
  }
}
