import type { ArgumentsHost, ContextType, ExecutionContext, Type } from '@nestjs/common';

type HttpArguments = ReturnType<ArgumentsHost['switchToHttp']>;
type RpcArguments = ReturnType<ArgumentsHost['switchToRpc']>;
type WsArguments = ReturnType<ArgumentsHost['switchToWs']>;

/**
 * A tool call's context for enhancers: an HTTP context with the chat's request and a detached
 * response. Its type is `http` even without a request, so that guards that check only `http` are
 * not bypassed.
 */
export class ToolExecutionContext implements ExecutionContext {
  private readonly args: readonly unknown[];

  constructor(
    request: unknown,
    response: unknown,
    private readonly host: Type<unknown>,
    private readonly handler: (...args: never[]) => unknown,
  ) {
    this.args = [request, response, doNothing];
  }

  getClass<T>(): Type<T> {
    return this.host as Type<T>;
  }

  getHandler(): (...args: never[]) => unknown {
    return this.handler;
  }

  getArgs<T extends unknown[]>(): T {
    return [...this.args] as T;
  }

  getArgByIndex<T>(index: number): T {
    return this.args[index] as T;
  }

  getType<T extends string = ContextType>(): T {
    return 'http' as T;
  }

  switchToHttp(): HttpArguments {
    return {
      getRequest: <T>() => this.getArgByIndex<T>(0),
      getResponse: <T>() => this.getArgByIndex<T>(1),
      getNext: <T>() => this.getArgByIndex<T>(2),
    };
  }

  switchToRpc(): RpcArguments {
    return {
      getData: <T>() => this.getArgByIndex<T>(0),
      getContext: <T>() => this.getArgByIndex<T>(1),
    };
  }

  switchToWs(): WsArguments {
    return {
      getClient: <T>() => this.getArgByIndex<T>(0),
      getData: <T>() => this.getArgByIndex<T>(1),
      getPattern: () => '',
    };
  }
}

function doNothing(): void {
  // `next()` has no effect: no route follows a tool.
}
