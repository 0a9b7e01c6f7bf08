import { type ChatResult, UNTOLD_FAILURE } from '../../run';
import { requestError, type RequestException } from './error-status';

/** The error response of a failed run: with its status, its ids and `Retry-After`. */
export function runFailed({ error, sessionId, runId, toolCalls }: ChatResult): RequestException {
  const { httpStatus, code, message } = error ?? UNTOLD_FAILURE;
  const isStored = sessionId !== '';
  return requestError(httpStatus, code, message, {
    hadEffects: isStored || toolCalls.length > 0,
    ...(error?.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
    body: isStored ? { sessionId, runId } : {},
  });
}
