import type { Problem } from '../state';
import { filled, type Texts } from '../texts';
import { ApiError } from '../wire';

/** An error as the user reads it: in the server's words, or in those of the chat. */
export function problemOf(error: unknown, { problems }: Texts): Problem {
  if (!(error instanceof ApiError)) return { code: 'network', message: problems.network };
  const { code, status, message } = error;
  if (status === 401) return { code, message: problems.loggedOut };
  if (code === 'session_not_found') return { code, message: problems.sessionGone };
  if (code === 'unexpected_answer') return { code, message: problems.unexpected };
  return { code, message: message || filled(problems.status, { status }) };
}
