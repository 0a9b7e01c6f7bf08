import type { Problem } from '../state/chat-state';
import { ApiError } from '../wire/api-error';

/** What went wrong, as the user reads it. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) {
    const message = error.status === 401 ? 'You are not logged in.' : error.message;
    return { code: error.code, message };
  }
  return { code: 'network', message: 'The server cannot be reached.' };
}
