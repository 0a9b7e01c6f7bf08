import { Injectable, Logger, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ContextIdFactory, ModuleRef } from '@nestjs/core';
import { type Failure, isUntold, logFailure } from '../errors';
import { SESSION_HEADER } from '../options';
import { TakenResponse } from '../wire';
import type { Exchange } from './exchange';
import { servedBy, type Served } from './served';

/** What names the caller must not be answered with what was kept for another one. */
const PRIVATE_HEADERS = {
  'cache-control': 'no-store',
  vary: `Authorization, Cookie, ${SESSION_HEADER}`,
} as const;

/**
 * Serves the agent's endpoints. It stands on every handler, so behind all guards of the application,
 * global ones and the module's `decorators`, and before the first interceptor: the one place where
 * who may come in is decided, and where nobody can answer in the endpoint's stead.
 */
@Injectable()
export class ServingGuard implements CanActivate {
  private readonly logger = new Logger('AgentHttp');

  constructor(private readonly module: ModuleRef) {}

  /** Never refuses: the endpoint's own refusals are answers. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const served = servedBy(context.getHandler());
    if (served === undefined) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<{ params?: Exchange['params'] }>();
    // As guards may be, the controller may be request-scoped.
    const contextId = ContextIdFactory.getByRequest(request);
    const controller = await this.module.resolve<object>(context.getClass(), contextId);
    const common = served.isPublic ? {} : PRIVATE_HEADERS;
    const response = new TakenResponse(request, http.getResponse(), common);
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
      if (isUntold(error)) logFailure(this.logger, error);
      this.fail(response, failureOf(error));
    }
  }

  /** No client is left waiting, whatever middleware has made of the response. */
  private fail(response: TakenResponse, { status, headers, body }: Failure): void {
    try {
      response.json(status, body, headers);
    } catch (error) {
      logFailure(this.logger, error);
    }
    if (!response.isOver) response.destroy();
  }
}
