import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { InProcessConnection } from './in-process-connection';

/** The request of Express or Fastify, for guards. */
interface GuardedRequest {
  readonly socket?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
}

/**
 * A guard before all others. It checks that an agent's in-process request reaches its own handler.
 * At a wrong handler no guard, pipe, interceptor, filter or method runs: the connection is closed,
 * as after a disconnect. Other requests pass.
 */
export class ArrivalGuard implements CanActivate {
  /** Must be called while providers are created: earlier the application has no guards. */
  static standIn(config: ApplicationConfig): void {
    config.useGlobalGuards(new ArrivalGuard());
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (context.getType() !== 'http') return true;
    // Nest uses "http" as the default type, so there may be no request.
    const request = context.switchToHttp().getRequest<GuardedRequest | null | undefined>();
    const { socket, params = {} } = request ?? {};
    // A class of the library: no network connection is an instance.
    if (!(socket instanceof InProcessConnection)) return true;
    const handler = context.getHandler();
    try {
      socket.destination?.assertReached({ host: context.getClass(), handler, params });
      socket.destination?.watched?.enter('guards');
      return true;
    } catch (error) {
      socket.destroy(error as Error);
      // An answer would run the filters of the wrong handler.
      return new Promise(() => undefined);
    }
  }
}

/** The application's global guards. */
export function globalGuardsOf(config: ApplicationConfig): readonly CanActivate[] {
  return config.getGlobalGuards().filter((guard) => !(guard instanceof ArrivalGuard));
}
