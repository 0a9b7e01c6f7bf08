import type { ExecutionContext, Type } from '@nestjs/common';
import { DetachedHost } from './detached-host';

/** A tool call's context for enhancers: the chat's request and a detached response. */
export class ToolExecutionContext extends DetachedHost implements ExecutionContext {
  constructor(
    request: unknown,
    response: unknown,
    private readonly host: Type<unknown>,
    private readonly handler: (...args: never[]) => unknown,
  ) {
    super(request, response);
  }

  getClass<T>(): Type<T> {
    return this.host as Type<T>;
  }

  getHandler(): (...args: never[]) => unknown {
    return this.handler;
  }
}
