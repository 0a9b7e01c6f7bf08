import { Inject, Injectable, Logger } from '@nestjs/common';
import { settledWithin, thrownText } from '../../internal';
import { AgentError } from '../../tool';
import { QueueFullError, RUN_OPTIONS, RUN_QUEUE, type RunOptions } from '../request';
import { RUN_JOB_VERSION } from './run-job';
import type { RunJob, RunQueue } from './run-queue';

/** Milliseconds that a request waits for the queue. The store has the run, so a sweep can add it later. */
const WAIT_MS = 1_000;

/** Adds and removes jobs. An unreachable queue never fails a request. */
@Injectable()
export class RunJobs {
  private readonly logger = new Logger('AgentQueue');
  /** The operations that failed last time: an outage must not fill the log. */
  private readonly failing = new Set<string>();
  private startLocally: ((job: RunJob) => void) | undefined;

  constructor(
    @Inject(RUN_QUEUE) readonly queue: RunQueue | null,
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
  ) {}

  /** @param start executes a job if the queue is unreachable */
  onLost(start: (job: RunJob) => void): void {
    this.startLocally = start;
  }

  /** @throws QueueFullError */
  async admit(): Promise<void> {
    const { queue } = this;
    let size = 0;
    await this.tried('asked', async () => {
      size = (await queue?.size()) ?? 0;
    });
    if (size >= this.options.queued) throw new QueueFullError();
  }

  /** @param priority the number of the principal's unfinished runs before this one */
  async add(job: Omit<RunJob, 'v'>, priority: number): Promise<void> {
    const added = { v: RUN_JOB_VERSION, ...job };
    const isAdded = await this.tried('given a job', () => this.queue?.add(added, priority));
    if (!isAdded && this.queue?.role === 'both') this.startLocally?.(added);
  }

  /**
   * The jobs that the queue lacks. If it is unreachable, a process of the role `both` executes them
   * itself.
   */
  async missing(jobs: readonly RunJob[]): Promise<readonly RunJob[]> {
    let missing: readonly RunJob[] = [];
    const isAnswered = await this.tried('looked through', async () => {
      missing = (await this.queue?.missing(jobs)) ?? [];
    });
    if (!isAnswered && this.queue?.role === 'both') jobs.forEach((job) => this.startLocally?.(job));
    return missing;
  }

  async remove(job: Pick<RunJob, 'runId' | 'attempt'>): Promise<void> {
    await this.tried('relieved of a job', () => this.queue?.remove(job));
  }

  private async tried(what: string, work: () => Promise<void> | undefined): Promise<boolean> {
    try {
      const done = Promise.resolve().then(work);
      done.catch(() => undefined);
      if (await settledWithin(done, WAIT_MS)) {
        this.failing.delete(what);
        return true;
      }
      this.tellFailed(what, `no answer within ${WAIT_MS / 1_000} s.`);
    } catch (error) {
      this.tellFailed(what, error instanceof AgentError ? error.message : thrownText(error));
    }
    return false;
  }

  private tellFailed(what: string, reason: string): void {
    if (!this.failing.has(what)) this.logger.warn(`The queue could not be ${what}: ${reason}`);
    this.failing.add(what);
  }
}
