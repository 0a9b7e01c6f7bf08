import { STATUS_CODES, type OutgoingHttpHeaders } from 'node:http';
import type { HttpException } from '@nestjs/common';
import { httpExceptionOf, type RequestException } from './error-status';

/** How an endpoint tells what went wrong. */
export interface Failure {
  /** The HTTP status. */
  readonly status: number;
  /** Headers, beside those of the content. */
  readonly headers: OutgoingHttpHeaders;
  /** What is sent as JSON. */
  readonly body: object;
}

/** Anything thrown, in Nest's envelope with a stable `code`. Only what is meant for callers is told. */
export function failureOf(error: unknown): Failure {
  const exception = httpExceptionOf(error);
  return {
    status: exception.getStatus(),
    headers: retryHeaders(exception),
    body: envelopeOf(exception),
  };
}

/** `Retry-After`, where the exception says when. */
export function retryHeaders(exception: HttpException): OutgoingHttpHeaders {
  const { retryAfter } = exception as Partial<RequestException>;
  return retryAfter === undefined ? {} : { 'retry-after': retryAfter };
}

/** An exception of the application's own code (`principal`, say) has no code: its status names it. */
function envelopeOf(exception: HttpException): object {
  const said = exception.getResponse();
  const statusCode = exception.getStatus();
  const error = STATUS_CODES[statusCode] ?? 'Error';
  return {
    statusCode,
    message: exception.message,
    error,
    code: error.toLowerCase().replaceAll(/\W+/g, '_'),
    ...(typeof said === 'string' ? { message: said } : said),
  };
}
