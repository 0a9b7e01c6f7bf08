import { Logger } from '@nestjs/common';
import { settledWithin } from '../internal';
import type { RunCredentials, RunJob, RunQueue, RunWorker } from '../run';
import { AgentError } from '../tool';
import type { BullmqRunsOptions } from './bullmq-options';
import { BullmqWorker } from './bullmq.worker';
import { jobIdOf } from './job-id';
import type { JobsServer, OpenServer } from './jobs-server';
import { assertOptions } from './options-check';
import { Outage } from './outage';
import { PostgresServer } from './postgres.server';
import { asQueueError } from './queue-errors';
import { RedisServer } from './redis.server';

const JOB_NAME = 'run';
/** The last priority of BullMQ. */
const LAST_PRIORITY = 2 ** 21 - 1;
const CLOSE_MS = 3_000;

/** Jobs in Redis or PostgreSQL, by BullMQ. */
class BullmqRuns implements RunQueue {
  readonly role: RunQueue['role'];
  readonly maxAttempts: number;
  readonly credentials?: RunCredentials | 'none';
  private readonly logger = new Logger('RunQueue');
  private readonly server: JobsServer;
  private readonly outage: Outage;
  readonly concurrency: number;
  private opened: OpenServer | undefined;
  private worker: BullmqWorker | undefined;

  constructor(options: BullmqRunsOptions) {
    const { role = 'both', maxAttempts = 3, concurrency = 50, credentials } = options;
    this.role = role;
    this.maxAttempts = maxAttempts;
    this.concurrency = concurrency;
    if (credentials !== undefined) this.credentials = credentials;
    this.server = serverOf(options, this.logger);
    this.outage = new Outage(this.logger, this.server.address, () => this.open_.check());
  }

  async open(): Promise<void> {
    if (this.opened) return;
    try {
      this.opened = await this.server.open((error) => this.outage.report(error));
    } catch (error) {
      throw asQueueError(error, this.server.address);
    }
  }

  start(runs: RunWorker): void {
    if (this.role === 'web' || this.worker) return;
    const { concurrency, outage, logger } = this;
    const { address } = this.server;
    this.worker = new BullmqWorker(this.open_, runs, concurrency, address, outage, logger);
  }

  async add(job: RunJob, priority: number): Promise<void> {
    await this.ask(({ queue }) =>
      queue.add(JOB_NAME, job, {
        jobId: jobIdOf(job),
        priority: Math.min(Math.max(Math.trunc(priority), 0), LAST_PRIORITY),
        removeOnComplete: true,
        removeOnFail: true,
      }),
    );
  }

  async missing(jobs: readonly RunJob[]): Promise<readonly RunJob[]> {
    if (jobs.length === 0) return [];
    const present = await this.ask((server) => server.present(jobs.map(jobIdOf)));
    return jobs.filter((job) => !present.has(jobIdOf(job)));
  }

  async remove(job: Pick<RunJob, 'runId' | 'attempt'>): Promise<void> {
    await this.ask(({ queue }) => queue.remove(jobIdOf(job), { removeChildren: false }));
  }

  async size(): Promise<number> {
    const counts = await this.ask(({ queue }) =>
      queue.getJobCounts('waiting', 'prioritized', 'delayed'),
    );
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  }

  async check(): Promise<void> {
    await this.ask((server) => server.check());
  }

  async drain(): Promise<void> {
    await this.worker?.drain();
  }

  async close(): Promise<void> {
    const { opened, worker } = this;
    this.opened = undefined;
    this.worker = undefined;
    this.outage.close();
    if (worker) await settledWithin(Promise.allSettled([worker.close()]), CLOSE_MS);
    if (opened) await settledWithin(Promise.allSettled([opened.close()]), CLOSE_MS);
  }

  private get open_(): OpenServer {
    if (this.opened) return this.opened;
    throw new AgentError('queue_unavailable', 'The queue of runs is not open.');
  }

  private async ask<T>(question: (server: OpenServer) => Promise<T>): Promise<T> {
    try {
      return await question(this.open_);
    } catch (error) {
      throw asQueueError(error, this.server.address);
    }
  }
}

function serverOf(options: BullmqRunsOptions, logger: Logger): JobsServer {
  const { prefix = 'agent' } = options;
  return options.backend === 'postgres'
    ? new PostgresServer(options.connection, prefix)
    : new RedisServer(options.connection, prefix, logger);
}

/**
 * Moves runs from web processes to workers with BullMQ, on Redis or PostgreSQL. Both need `bullmq`;
 * Redis needs `ioredis`, PostgreSQL needs `pg`. The session store must be shared by the processes.
 *
 * @experimental
 * @param options the server of the jobs, and the role of this process
 * @throws InvalidOptionsError if an option is unknown or has an invalid value
 * @throws AgentError at `open()`: `missing_package`, `queue_unavailable` if the server cannot be
 * reached, `queue_settings` if Redis may evict keys or the user may not create BullMQ's tables
 * @example
 * import { bullmqRuns } from 'nestjs-agent/bullmq';
 *
 * const runs = bullmqRuns({
 *   connection: { host: '127.0.0.1', port: 6379 },
 *   role: 'web',
 *   credentials: 'none',
 * });
 * @see https://docs.bullmq.io
 */
export function bullmqRuns(
  options: BullmqRunsOptions,
): RunQueue & Required<Pick<RunQueue, 'check'>> {
  assertOptions(options);
  return new BullmqRuns(options);
}
