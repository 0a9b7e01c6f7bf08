import type { Problem } from '../state';
import { TEXTS } from '../texts';
import { ApiError } from '../wire';

/** An error as the user reads it. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof ApiError)) return { code: 'network', message: TEXTS.problems.network };
  const { code, status, message } = error;
  return { code, message: status === 401 ? TEXTS.problems.loggedOut : message };
}
