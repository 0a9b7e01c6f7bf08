import type { HttpServer } from '@nestjs/common';
import { RequestException } from './error-status';

/** Sets the `Retry-After` header of an answer, if its exception has one. */
export function tellWhenToRetry(adapter: HttpServer, response: unknown, exception: unknown): void {
  if (!(exception instanceof RequestException) || exception.retryAfter === undefined) return;
  if (adapter.isHeadersSent?.(response) === true) return;
  adapter.setHeader?.(response, 'Retry-After', exception.retryAfter);
}
