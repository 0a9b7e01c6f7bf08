import { AgentError } from '../../tool';
import { SessionStoreError } from '../../session';

const SQLSTATE = /^[0-9A-Z]{5}$/;
/** Connection lost, too many connections, shutting down: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const UNAVAILABLE = /^(08|53|57P|58)/;
/** SQLSTATE of a write on a standby, or in a database that is set to read-only. */
export const READ_ONLY = '25006';
/** SQLSTATE of a statement that exceeded the server's `statement_timeout`. */
const OVERDUE = '57014';

/**
 * A driver's error with only its code: its text may contain addresses, user names and values. The
 * library's own errors and programming errors are unchanged.
 */
export function asStoreError(error: unknown): unknown {
  if (error instanceof AgentError || error instanceof TypeError || error instanceof RangeError) {
    return error;
  }
  const code = codeOf(error);
  if (code === undefined || !SQLSTATE.test(code) || UNAVAILABLE.test(code)) {
    return unavailable('cannot be reached. Check that it is running and where it is', code);
  }
  if (code === READ_ONLY)
    return unavailable('accepts no writes: it has to be the primary server', code);
  if (code === OVERDUE) return unavailable('did not answer in time', code);
  if (code.startsWith('28')) return unavailable('refused the credentials it was given', code);
  if (code === '3D000') return unavailable('does not exist on that server', code);
  if (code === '42501') {
    return new SessionStoreError('store_failed', `The session database forbids this (${code}).`);
  }
  return new SessionStoreError('store_failed', `The session database failed (${code}).`);
}

function unavailable(what: string, code: string | undefined): SessionStoreError {
  const suffix = code === undefined ? '' : ` (${code})`;
  return new SessionStoreError('store_unavailable', `The session database ${what}${suffix}.`);
}

/** SQLSTATE or Node's system error name; ignores any other code of a driver. */
export function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z_]{2,30}$/.test(code) ? code : undefined;
}
