import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { InProcessConnection } from './in-process-connection';

/** What Express and Fastify hand to guards of a request. */
interface GuardedRequest {
  readonly socket?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
}

/**
 * Stands before everything that Nest runs for a handler, and asks requests that agents send in this
 * process whether that handler is theirs. Of a wrong one neither guard, pipe, interceptor, filter nor
 * handler runs: the connection is closed, as if its client had gone. Other requests pass.
 */
export class ArrivalGuard implements CanActivate {
  /** Has to be called while providers are made: before that the application has no guards. */
  static standIn(config: ApplicationConfig): void {
    config.useGlobalGuards(new ArrivalGuard());
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (context.getType() !== 'http') return true;
    // Nest calls "http" whatever it runs without knowing better, so there may be no request at all.
    const request = context.switchToHttp().getRequest<GuardedRequest | null | undefined>();
    const { socket, params = {} } = request ?? {};
    // A class of our own: nothing that comes over the network can pass for it.
    if (!(socket instanceof InProcessConnection)) return true;
    const handler = context.getHandler();
    try {
      socket.destination?.assertReached({ host: context.getClass(), handler, params });
      return true;
    } catch (error) {
      socket.destroy(error as Error);
      // Any answer would lead to the filters of the wrong handler.
      return new Promise(() => undefined);
    }
  }
}

/** The guards that the application itself has for everything. */
export function globalGuardsOf(config: ApplicationConfig): readonly CanActivate[] {
  return config.getGlobalGuards().filter((guard) => !(guard instanceof ArrivalGuard));
}
