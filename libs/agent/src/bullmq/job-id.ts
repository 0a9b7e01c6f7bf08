import type { RunJob } from '../run';

/**
 * The job's id in BullMQ, which refuses colons and whole numbers. Two jobs never have the same one:
 * an attempt is digits only.
 *
 * @see https://docs.bullmq.io/guide/jobs/job-ids
 */
export function jobIdOf({ runId, attempt }: Pick<RunJob, 'runId' | 'attempt'>): string {
  return `${encodeURIComponent(runId)}.${attempt}`;
}
