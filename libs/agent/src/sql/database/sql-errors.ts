import { AgentError } from '../../tool';
import { SessionStoreError } from '../../session';

const SQLSTATE = /^[0-9A-Z]{5}$/;
const SYSTEM_ERROR = /^E[A-Z]{2,}$/;
/** Connection lost, too many connections, shutting down: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const UNAVAILABLE = /^(08|53|57P|58)/;
/** SQLSTATE of a write on a standby, or in a database that is set to read-only. */
export const READ_ONLY = '25006';
/** SQLSTATE of a serialization failure and of a deadlock: the transaction had no effect, and may be repeated. */
const ROLLED_BACK: ReadonlySet<string | undefined> = new Set(['40001', '40P01']);
/** What the codes mean that need an answer other than a look at the server. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  [READ_ONLY, 'accepts no writes: it has to be the primary server'],
  ['40001', 'rolled back a statement that met others, each time'],
  ['40P01', 'rolled back a statement that met others, each time'],
  // The process stood still within a transaction: the server has closed its connection.
  ['25P03', 'ended a transaction that took too long'],
  ['25P04', 'ended a transaction that took too long'],
  ['55P03', 'did not answer in time'],
  ['57014', 'did not answer in time'],
  ['3D000', 'does not exist on that server'],
  ['53100', 'has no space left on its disk'],
  [
    '53300',
    'accepts no more connections: lower maxConnections, times the processes, or raise the limit of the server or role',
  ],
]);

/**
 * A driver's error with only its code: its text may contain addresses, user names and values. The
 * library's own errors and programming errors are unchanged.
 */
export function asStoreError(error: unknown): unknown {
  if (error instanceof AgentError || error instanceof TypeError || error instanceof RangeError) {
    return error;
  }
  const code = codeOf(error);
  const meaning = code === undefined ? undefined : MEANINGS.get(code);
  if (meaning !== undefined) return unavailable(meaning, code);
  if (code === undefined || !SQLSTATE.test(code) || UNAVAILABLE.test(code)) {
    return unavailable('cannot be reached. Check that it is running and where it is', code);
  }
  if (code.startsWith('28')) return unavailable('refused the credentials it was given', code);
  if (code === '42501') {
    return new SessionStoreError(
      'store_failed',
      `The session database refuses its role a right that the store needs (${code}). See "Upgrades" in the guide to operations.`,
    );
  }
  return new SessionStoreError('store_failed', `The session database failed (${code}).`);
}

/** Whether PostgreSQL rolled a transaction back because of others, so that it may succeed if repeated. */
export function isRolledBack(error: unknown): boolean {
  return ROLLED_BACK.has(codeOf(error));
}

/** An error of the file system without its text, which may name other folders. */
export function asFolderError(error: unknown, dataDir: string): unknown {
  const code = codeOf(error);
  if (code === undefined || !SYSTEM_ERROR.test(code)) return error;
  return new SessionStoreError(
    'store_unavailable',
    `The session folder ${dataDir} cannot be opened (${code}). This process must be able to create it, and to read and write in it.`,
  );
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
