import {
  Injectable,
  Logger,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { catchError, type Observable } from 'rxjs';
import { httpExceptionOf, isUntold } from './error-status';
import { logFailure } from './log-failure';
import { tellWhenToRetry } from './retry-after';

/**
 * Turns what the agent's endpoints throw into HTTP exceptions. It is no filter, so that the
 * application's own filters still see them.
 */
@Injectable()
export class AgentErrorInterceptor implements NestInterceptor {
  private readonly logger = new Logger('AgentHttp');

  constructor(private readonly adapterHost: HttpAdapterHost) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      catchError((error: unknown) => {
        if (isUntold(error)) logFailure(this.logger, error);
        const exception = httpExceptionOf(error);
        const response: unknown = context.switchToHttp().getResponse();
        tellWhenToRetry(this.adapterHost.httpAdapter, response, exception);
        throw exception;
      }),
    );
  }
}
