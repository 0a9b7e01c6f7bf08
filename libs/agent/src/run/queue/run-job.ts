import { defined } from '../../internal';
import type { RunJob } from './run-queue';

/** The version of `RunJob` that this release writes and reads. */
export const RUN_JOB_VERSION = 1;

const MAX_ID_CHARS = 256;
/** A claim of 4 KiB takes less than 6 KiB once it is encrypted and written as text. */
const MAX_SEALED_CHARS = 8_192;

/** The result of reading a job's data. */
type ReadJob =
  | { readonly kind: 'job'; readonly job: RunJob }
  | { readonly kind: 'newer' }
  | { readonly kind: 'malformed' };

/**
 * Checks a job's data: anyone with access to the queue's server may have written it. Drops unknown
 * fields.
 */
export function readRunJob(data: unknown): ReadJob {
  if (typeof data !== 'object' || data === null || !('v' in data) || !isCount(data.v)) {
    return { kind: 'malformed' };
  }
  if (data.v > RUN_JOB_VERSION) return { kind: 'newer' };
  const { v, runId, sessionId, agent, attempt, sealed } = data as Partial<RunJob>;
  if (!isRunId(runId) || !isId(sessionId) || !isCount(attempt)) return { kind: 'malformed' };
  if (agent !== undefined && !isId(agent)) return { kind: 'malformed' };
  if (sealed !== undefined && !isText(sealed, MAX_SEALED_CHARS)) return { kind: 'malformed' };
  return {
    kind: 'job',
    job: defined({ v: v ?? RUN_JOB_VERSION, runId, sessionId, attempt, agent, sealed }),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

function isId(value: unknown): value is string {
  return isText(value, MAX_ID_CHARS);
}

/** Refuses lone surrogates: the id is part of the job's id. */
function isRunId(value: unknown): value is string {
  return isId(value) && !/\p{Surrogate}/u.test(value);
}

function isText(value: unknown, maxChars: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxChars;
}
