import type { RunJob } from '../run';

/**
 * The job's id in BullMQ, which refuses colons and integers. It is unique, because an attempt has only
 * digits.
 *
 * @see https://docs.bullmq.io/guide/jobs/job-ids
 */
export function jobIdOf({ runId, attempt }: Pick<RunJob, 'runId' | 'attempt'>): string {
  return `${encodeURIComponent(runId)}.${attempt}`;
}
