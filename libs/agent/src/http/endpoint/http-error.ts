import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';

/**
 * An error in the shape of `http-errors` as the exception with its status, as NestJS answers one;
 * `undefined` for other errors.
 */
export function httpErrorOf(error: unknown): HttpException | undefined {
  if (!(error instanceof Error)) return undefined;
  const { statusCode: status, expose, message } = error as Error & Record<string, unknown>;
  if (typeof status !== 'number' || !(status >= 400 && status < 600)) return undefined;
  const isTold = expose ?? status < 500;
  const text = isTold ? message : (STATUS_CODES[status] ?? 'Error');
  return new HttpException(text, status, { cause: error });
}
