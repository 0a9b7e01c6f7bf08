import {
  type CallHandler,
  type ExecutionContext,
  HttpException,
  type NestInterceptor,
} from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { catchError, type Observable, throwError } from 'rxjs';
import { destinationOf } from './in-process-connection';

/** A frame of a stack in a pipe or an interceptor. */
const ENHANCER_FRAME = /\bat (?:async )?(\w+)\.(?:transform|intercept) \(/;

/**
 * An interceptor around all others, for watched calls alone: it records that the guards admitted the
 * request, and the origin of its handler's error. Only applications that watch calls have it.
 */
export class PassageInterceptor implements NestInterceptor {
  /** Must be called while providers are created: earlier the application has no interceptors. */
  static standIn(config: ApplicationConfig): void {
    config.useGlobalInterceptors(new PassageInterceptor());
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const watched = destinationOf(context.switchToHttp().getRequest())?.watched;
    if (watched === undefined) return next.handle();
    const handler = `${context.getClass().name}.${context.getHandler().name}`;
    watched.enter('handler', handler);
    return next.handle().pipe(
      catchError((error: unknown) => {
        watched.failedStatus = error instanceof HttpException ? error.getStatus() : 500;
        watched.fail(thrownBy(error, handler));
        return throwError(() => error);
      }),
    );
  }
}

/** The application's global interceptors. */
export function globalInterceptorsOf(config: ApplicationConfig): readonly NestInterceptor[] {
  return config
    .getGlobalInterceptors()
    .filter((interceptor) => !(interceptor instanceof PassageInterceptor));
}

/** The pipe or interceptor that threw an error, or the handler. */
function thrownBy(error: unknown, handler: string): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const ofHandler = stack.indexOf(`at ${handler} (`);
  const frame = ENHANCER_FRAME.exec(stack);
  // Frames nearer to the top of the stack were called later.
  const isOfEnhancer = frame?.[1] !== undefined && (ofHandler < 0 || frame.index < ofHandler);
  return isOfEnhancer && frame[1] !== PassageInterceptor.name
    ? `${frame[1]} of ${handler}`
    : handler;
}
