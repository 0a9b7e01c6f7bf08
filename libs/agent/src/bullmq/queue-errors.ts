import { printable } from '../internal';
import { AgentError } from '../tool';

/** Codes of Node, Redis and PostgreSQL for a server that is unreachable, starting, full or stopping. */
const AWAY = /^(?:E[A-Z_]{3,}|LOADING|READONLY|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|08...|53...|57P..)$/;
/** Texts of `ioredis` and `pg` errors without a code. */
const AWAY_TEXT =
  /connection is closed|connection terminated|timed out|timeout exceeded|isn't writeable|max retries per request|sentinels are unreachable/i;

/** What to do about a Redis that answers and refuses, by the first word of its reply. */
const ADVICE: ReadonlyMap<string | undefined, string> = new Map([
  ['OOM', ' Redis is full: raise its maxmemory, or move other data away.'],
  ['MISCONF', ' Redis cannot write to its disk: look at its log.'],
  ['NOPERM', ' The user lacks a right: compare it with the guide to several processes.'],
]);

/**
 * A driver's error with only its code: its text may contain addresses, users and values.
 */
export function asQueueError(error: unknown, address: string): AgentError {
  if (error instanceof AgentError) return error;
  const code = codeOf(error);
  const suffix = code === undefined ? '' : ` (${code})`;
  if (isAway(error)) {
    return new AgentError(
      'queue_unavailable',
      `The queue of runs at ${address} cannot be reached${suffix}. Check that the server is running, and its host and port.`,
    );
  }
  if (code === 'WRONGPASS' || code === 'NOAUTH' || code?.startsWith('28')) {
    return new AgentError(
      'queue_unavailable',
      `The queue of runs at ${address} refused the credentials that it was given${suffix}.`,
    );
  }
  return new AgentError(
    'queue_failed',
    `The queue of runs at ${address} failed${suffix || ownText(error)}.${ADVICE.get(code) ?? ''}`,
  );
}

export function isAway(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined ? AWAY_TEXT.test(messageOf(error)) : AWAY.test(code);
}

/** Node's or PostgreSQL's code, or the first word of a Redis reply. */
export function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error && 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && /^[0-9A-Z_]{2,30}$/.test(code)) return code;
  return /^([A-Z]{3,20}) /.exec(messageOf(error))?.[1];
}

/** The text of an error of a driver. */
export function messageOf(error: unknown): string {
  const message = typeof error === 'object' && error && 'message' in error ? error.message : '';
  return typeof message === 'string' ? message : '';
}

/** The text of an error without a code: BullMQ's own, which contains nothing about the server. */
function ownText(error: unknown): string {
  const text = messageOf(error).slice(0, 200);
  return text === '' ? '' : `: ${printable(text)}`;
}
