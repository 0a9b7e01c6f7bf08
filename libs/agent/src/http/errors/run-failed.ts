import type { ChatResult } from '../../run';
import { requestError, UNTOLD, type RequestException } from './error-status';

/** A run failed, and its failure is the answer: with its status, its ids and when to try again. */
export function runFailed({ error, sessionId, runId }: ChatResult): RequestException {
  const { httpStatus, code, message } = error ?? UNTOLD;
  return requestError(httpStatus, code, message, {
    ...(error?.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
    body: sessionId === '' ? {} : { sessionId, runId },
  });
}
