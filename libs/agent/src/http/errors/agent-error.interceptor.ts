import {
  Injectable,
  Logger,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { catchError, type Observable } from 'rxjs';
import { httpExceptionOf } from './error-status';
import { logFailure } from './log-failure';

/**
 * Turns what the agent's endpoints throw into HTTP exceptions. It is no filter, so that the
 * application's own filters still see them.
 */
@Injectable()
export class AgentErrorInterceptor implements NestInterceptor {
  private readonly logger = new Logger('AgentHttp');

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      catchError((error: unknown) => {
        const exception = httpExceptionOf(error);
        if (exception !== error && exception.getStatus() === 500) logFailure(this.logger, error);
        throw exception;
      }),
    );
  }
}
