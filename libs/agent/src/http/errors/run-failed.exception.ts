import { HttpException } from '@nestjs/common';
import type { ChatResult } from '../../run';
import { requestError, UNTOLD } from './error-status';

/** A run failed, and its failure is the answer: with its status, its ids and when to try again. */
export class RunFailedException extends HttpException {
  /** The value of a `Retry-After` header, in seconds. */
  readonly retryAfter?: string;

  constructor({ error, sessionId, runId }: ChatResult) {
    const { httpStatus, code, message } = error ?? UNTOLD;
    const ids = sessionId === '' ? {} : { sessionId, runId };
    super(requestError(httpStatus, code, message, { body: ids }).getResponse(), httpStatus);
    if (error?.retryAfterMs !== undefined) {
      this.retryAfter = String(Math.max(1, Math.ceil(error.retryAfterMs / 1_000)));
    }
  }
}
