import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { ToolCall, ToolContext, ToolInterceptor } from 'nestjs-agent';

/** Stands in for the state that an ORM keeps for each request. */
export const unitOfWork = new AsyncLocalStorage<Map<string, number>>();

// #region interceptor
@Injectable()
export class UnitOfWorkPerCall implements ToolInterceptor {
  intercept(_call: ToolCall, _ctx: ToolContext, next: () => Promise<unknown>) {
    return unitOfWork.run(new Map(), next); // MikroORM: RequestContext.create(this.orm.em, next)
  }
}
// #endregion interceptor
