import type { HttpException } from '@nestjs/common';
import type { AgentEvent } from '../../message';
import { type ChatResult, UNTOLD_FAILURE } from '../../run';
import { afterEffects, requestError } from './error-status';

/**
 * The error response of a failed run: with its status, its ids and `Retry-After`.
 *
 * @param hadEffects whether its events told of what was done: see `tellsOfEffect`
 */
export function runFailed(
  { error, sessionId, runId, toolCalls }: ChatResult,
  hadEffects = false,
): HttpException {
  const { httpStatus, code, message } = error ?? UNTOLD_FAILURE;
  const isStored = sessionId !== '';
  const failure = requestError(httpStatus, code, message, {
    ...(error?.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
    body: isStored ? { sessionId, runId } : {},
  });
  return isStored || toolCalls.length > 0 || hadEffects ? afterEffects(failure) : failure;
}

/** Whether an event tells of what the calls of a result leave out: a tool that the provider ran. */
export function tellsOfEffect({ type }: AgentEvent): boolean {
  return type === 'provider.tool';
}
