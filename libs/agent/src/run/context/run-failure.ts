import { ModelError } from '../../model';
import { LeaseLostError, SessionNotFoundError, SessionStoreError } from '../../session';
import { AgentError } from '../../tool';
import {
  CredentialsRefusedError,
  QueueTimeoutError,
  QuotaExceededError,
  type RunFailure,
  WorkersLostError,
} from '../request';

/** A failure that is safe to show. Messages of foreign errors are not. */
export function runFailureOf(error: unknown): RunFailure {
  if (error instanceof ModelError) {
    const { code, message, httpStatus, retryAfterMs } = error;
    return { code, message, httpStatus, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
  if (error instanceof QuotaExceededError) {
    const { code, message, retryAfterMs } = error;
    return { code, message, httpStatus: 429, retryAfterMs };
  }
  if (isStoreAway(error)) return STORE_AWAY_FAILURE;
  if (error instanceof LeaseLostError) return LEASE_LOST_FAILURE;
  if (error instanceof CredentialsRefusedError) return failureOf(error, 403);
  if (error instanceof SessionNotFoundError) return failureOf(error, 404);
  if (error instanceof QueueTimeoutError || error instanceof WorkersLostError) {
    return failureOf(error, 503);
  }
  return error instanceof AgentError ? failureOf(error, 500) : INTERNAL_FAILURE;
}

function failureOf({ code, message }: AgentError, httpStatus: number): RunFailure {
  return { code, message, httpStatus };
}

/** Whether the store is unavailable. */
export function isStoreAway(error: unknown): error is SessionStoreError {
  return error instanceof SessionStoreError && error.code === 'store_unavailable';
}

/** The generic failure that callers receive instead of internal errors. */
export const INTERNAL_FAILURE: RunFailure = {
  code: 'internal_error',
  message: 'The agent failed. See the application log.',
  httpStatus: 500,
};

/** The store's own message is only for the log. */
export const STORE_AWAY_FAILURE: RunFailure = {
  code: 'store_unavailable',
  message: 'The conversations are unavailable. Try again in a moment.',
  httpStatus: 503,
  retryAfterMs: 5_000,
};

export const SHUTDOWN_FAILURE: RunFailure = {
  code: 'shutdown',
  message: 'The server is shutting down. Send the message again in a moment.',
  httpStatus: 503,
};

export const LEASE_LOST_FAILURE: RunFailure = {
  code: 'lease_lost',
  message: 'The server lost its lock on this session. Send the message again in a moment.',
  httpStatus: 503,
};
