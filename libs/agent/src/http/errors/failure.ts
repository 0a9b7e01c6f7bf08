import { STATUS_CODES, type OutgoingHttpHeaders } from 'node:http';
import type { HttpException } from '@nestjs/common';
import { httpExceptionOf, type RequestException } from './error-status';

/** The response to a failed request. */
export interface Failure {
  /** The HTTP status. */
  readonly status: number;
  /** Headers, in addition to those of the content. */
  readonly headers: OutgoingHttpHeaders;
  /** The JSON body. */
  readonly body: object;
}

/**
 * Any thrown error, in Nest's envelope with a stable `code`. Only messages meant for callers are
 * included.
 */
export function failureOf(error: unknown): Failure {
  const exception = httpExceptionOf(error);
  return {
    status: exception.getStatus(),
    headers: retryHeaders(exception),
    body: envelopeOf(exception),
  };
}

/** `Retry-After`, if the exception has one. */
export function retryHeaders(exception: HttpException): OutgoingHttpHeaders {
  const { retryAfter } = exception as Partial<RequestException>;
  return retryAfter === undefined ? {} : { 'retry-after': retryAfter };
}

/**
 * An exception of the application's own code (`principal`, say) has no code, so its status names
 * it.
 */
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
