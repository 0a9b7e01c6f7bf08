import type { HttpException } from '@nestjs/common';
import { type ChatResult, UNTOLD_FAILURE } from '../../run';
import { afterEffects, requestError } from './error-status';

/** The error response of a failed run: with its status, its ids and `Retry-After`. */
export function runFailed({ error, sessionId, runId, toolCalls }: ChatResult): HttpException {
  const { httpStatus, code, message } = error ?? UNTOLD_FAILURE;
  const isStored = sessionId !== '';
  const failure = requestError(httpStatus, code, message, {
    ...(error?.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
    body: isStored ? { sessionId, runId } : {},
  });
  return isStored || toolCalls.length > 0 ? afterEffects(failure) : failure;
}
