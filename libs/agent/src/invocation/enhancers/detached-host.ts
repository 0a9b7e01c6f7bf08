import type { ArgumentsHost, ContextType } from '@nestjs/common';

type HttpArguments = ReturnType<ArgumentsHost['switchToHttp']>;
type RpcArguments = ReturnType<ArgumentsHost['switchToRpc']>;
type WsArguments = ReturnType<ArgumentsHost['switchToWs']>;

/**
 * A request with a detached response for enhancers. Its type is `http` even without a request, so
 * that guards that check only `http` are not bypassed.
 */
export class DetachedHost implements ArgumentsHost {
  private readonly args: readonly unknown[];

  constructor(request: unknown, response: unknown) {
    this.args = [request, response, doNothing];
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
  // `next()` has no effect: nothing follows.
}
