import type { Logger } from '@nestjs/common';
import type { Job } from 'bullmq';
import { printable, settledWithin, thrownText } from '../internal';
import { readRunJob, type RunWorker } from '../run';
import { jobIdOf } from './job-id';
import type { JobsWorker, OpenServer } from './jobs-server';
import { loadOptional } from './optional-packages';
import type { Outage } from './outage';
import { asQueueError, isAway, messageOf } from './queue-errors';

/** Two checks for stalled jobs happen within a lock's duration. */
const CHECKS_PER_LOCK = 2;
const LONGEST_CHECK_MS = 15_000;
/** The allowed stalls of a job: the core counts attempts, not the queue. */
const ANY_NUMBER = 2 ** 31 - 1;
const RETRY_MS = 1_000;
const GIVE_BACK_MS = 1_000;
/** Logged after a pause of this process or an outage. Another worker executes the job. */
const LOST_LOCK = /^could not renew lock for job/;
/** Errors at the end of a job whose lock is lost, which was logged before. */
const OLD_LOCK =
  /^(?:Missing lock|Missing key|Lock mismatch) for job|^Job \S+ is not in the active state/;

/** Delivers jobs to this process. */
export class BullmqWorker {
  private readonly worker: JobsWorker;
  /** Deliveries, not jobs: a job whose lock was lost may come again meanwhile. */
  private readonly active = new Set<{ readonly job: Job; readonly token: string }>();
  private readonly idle = new Set<() => void>();
  private stopping = false;
  private resuming: NodeJS.Timeout | undefined;
  private warned: string | undefined;

  constructor(
    server: OpenServer,
    private readonly runs: RunWorker,
    concurrency: number,
    private readonly address: string,
    private readonly outage: Outage,
    private readonly logger: Logger,
  ) {
    const { lockMs } = runs;
    this.worker = server.startWorker((job, token = '') => this.deliver(job, token), {
      concurrency,
      lockDuration: lockMs,
      stalledInterval: Math.min(lockMs / CHECKS_PER_LOCK, LONGEST_CHECK_MS),
      maxStalledCount: ANY_NUMBER,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
      runRetryDelay: RETRY_MS,
    });
    this.worker.on('error', (error) => this.failed(error));
  }

  /** Takes no more jobs. Resolves when none is active. */
  async drain(): Promise<void> {
    this.stopping = true;
    const paused = this.worker.pause().catch((error: unknown) => this.failed(error));
    if (this.active.size > 0) await new Promise<void>((resolve) => this.idle.add(resolve));
    // BullMQ still records the last results, which never ends during an outage.
    await settledWithin(paused, GIVE_BACK_MS);
  }

  /** Returns the active jobs and disconnects. */
  async close(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.resuming);
    await settledWithin(
      Promise.allSettled([...this.active].map(({ job, token }) => job.moveToWait(token))),
      GIVE_BACK_MS,
    );
    await this.worker.close(true);
  }

  private async deliver(job: Job<unknown>, token: string): Promise<void> {
    // The job was fetched while this process stopped.
    if (this.stopping) return this.giveBack(job, token);
    // No finished job may keep this id: it would block the run's next job.
    Object.assign(job.opts, { removeOnComplete: true, removeOnFail: true });
    const delivery = { job, token };
    this.active.add(delivery);
    this.warned = undefined;
    try {
      const delayMs = await this.delayAfter(job);
      if (delayMs !== undefined) await this.giveBack(job, token, delayMs);
    } finally {
      this.active.delete(delivery);
      if (this.active.size === 0) {
        this.idle.forEach((resolve) => resolve());
        this.idle.clear();
      }
    }
  }

  /** Milliseconds until the job's next delivery, or `undefined` if it is done. */
  private async delayAfter(job: Job<unknown>): Promise<number | undefined> {
    const { lockMs } = this.runs;
    const read = readRunJob(job.data);
    if (read.kind === 'newer') return lockMs;
    if (read.kind === 'malformed' || jobIdOf(read.job) !== job.id) {
      const id = printable((job.id ?? '').slice(0, 100));
      this.logger.error(`The job ${id} in the queue of runs is malformed. It was removed.`);
      const { UnrecoverableError } = loadOptional('bullmq', ['bullmq']);
      throw new UnrecoverableError('The job is malformed.');
    }
    try {
      return await this.runs.work(read.job);
    } catch (error) {
      const id = printable(read.job.runId);
      this.logger.error(
        `The worker failed on the run ${id}. It is delivered again in ${lockMs} ms.`,
        thrownText(error),
      );
      return lockMs;
    }
  }

  /**
   * If this fails, the job is delivered again when its lock expires. A process that stops asks for no
   * delay: others would wait for it by their own clocks.
   */
  private async giveBack(job: Job<unknown>, token: string, delayMs = 0): Promise<never> {
    const { DelayedError } = loadOptional('bullmq', ['bullmq']);
    const moved = this.stopping
      ? job.moveToWait(token)
      : job.moveToDelayed(Date.now() + Math.max(delayMs, 1), token);
    await moved.catch((error: unknown) => this.failed(error));
    throw new DelayedError(job.id);
  }

  /** Pauses the worker, because BullMQ retries most errors at once. */
  private failed(error: unknown): void {
    const message = messageOf(error);
    if (this.stopping || OLD_LOCK.test(message)) return;
    if (LOST_LOCK.test(message)) {
      this.logger.warn(`A job of the queue of runs lost its lock: ${message}.`);
      return;
    }
    if (isAway(error)) this.outage.report(error);
    else this.warnOnce(asQueueError(error, this.address).message);
    if (this.resuming !== undefined) return;
    this.resuming = setTimeout(() => {
      this.resuming = undefined;
      if (!this.stopping) void this.worker.resume();
    }, RETRY_MS);
    void this.worker.pause(true);
  }

  /** Logs once until a job succeeds: a full server refuses every second. */
  private warnOnce(message: string): void {
    if (message !== this.warned) this.logger.warn(message);
    this.warned = message;
  }
}
