import {
  Catch,
  Injectable,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import type { User } from './token.guard.js';

/** A guard with dependencies: guards of provider tools are created by Nest like any other. */
@Injectable()
export class ReaderGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<{ user: User }>().user.id === 'alice';
  }
}

@Injectable()
export class BracketInterceptor implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler<unknown>): Observable<string> {
    return next.handle().pipe(map((value) => `[${String(value)}]`));
  }
}

export class BooksClosedError extends Error {}

interface AnyResponse {
  status(code: number): { send(body: object): unknown };
}

@Catch(BooksClosedError)
export class BooksClosedFilter implements ExceptionFilter {
  catch(_: BooksClosedError, host: ArgumentsHost): void {
    host
      .switchToHttp()
      .getResponse<AnyResponse>()
      .status(409)
      .send({ message: 'The books are closed.' });
  }
}
