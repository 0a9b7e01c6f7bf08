import type { RunJob, RunQueue, RunWorker } from '../run';

/**
 * Options of `memoryRuns()`.
 *
 * @example
 * import { memoryRuns, type MemoryRunsOptions } from 'nestjs-agent/testing';
 *
 * const options: MemoryRunsOptions = { role: 'web', credentials: 'none' };
 * const runs = memoryRuns(options);
 */
export interface MemoryRunsOptions extends Partial<
  Pick<RunQueue, 'role' | 'maxAttempts' | 'credentials'>
> {
  /** Jobs that one process executes at a time; 50 by default. */
  readonly concurrency?: number;
}

/** A job of a queue in memory. */
export interface MemoryJob {
  /** The job. */
  readonly job: RunJob;
  /** Its priority; 0 is first. */
  readonly priority: number;
}

/** A queue in memory, as one process of an application sees it. */
export interface MemoryRuns extends RunQueue {
  /** All jobs of the queue, including those in progress. */
  jobs(): readonly MemoryJob[];
  /**
   * The queue of another process on the same jobs.
   *
   * @param options the other process's options; by default those of this one
   */
  peer(options?: MemoryRunsOptions): MemoryRuns;
  /** Stops this process like a kill: its jobs go to others when their locks expire. */
  kill(): void;
  /** Removes all jobs, like a server that lost its memory. */
  lose(): void;
}

type Place = 'waiting' | 'delayed' | MemoryProcess;

interface StoredJob {
  /** JSON, so that each delivery is a copy, as from a server. */
  readonly text: string;
  readonly priority: number;
  readonly order: number;
  place: Place;
  timer?: NodeJS.Timeout;
}

/** The jobs that several processes share. */
class MemoryJobs {
  readonly jobs = new Map<string, StoredJob>();
  readonly processes = new Set<MemoryProcess>();
  private added = 0;
  private delivering = false;

  add(job: RunJob, priority: number): void {
    const id = idOf(job);
    if (this.jobs.has(id)) return;
    const text = JSON.stringify(job);
    this.jobs.set(id, { text, priority, order: ++this.added, place: 'waiting' });
    this.deliver();
  }

  remove(id: string): void {
    const job = this.jobs.get(id);
    if (!job || job.place instanceof MemoryProcess) return;
    this.drop(id);
  }

  drop(id: string): void {
    clearTimeout(this.jobs.get(id)?.timer);
    this.jobs.delete(id);
  }

  /** Returns a job of a process to the queue, at once or after a delay. */
  giveBack(id: string, from: MemoryProcess, delayMs?: number): void {
    const job = this.jobs.get(id);
    if (job?.place !== from) return;
    if (delayMs === undefined) {
      job.place = 'waiting';
    } else {
      job.place = 'delayed';
      job.timer = setTimeout(() => {
        job.place = 'waiting';
        this.deliver();
      }, delayMs);
    }
    this.deliver();
  }

  /** Gives waiting jobs to processes with capacity, in a later microtask, in order. */
  deliver(): void {
    if (this.delivering) return;
    this.delivering = true;
    queueMicrotask(() => {
      this.delivering = false;
      for (;;) {
        const process = [...this.processes].find((each) => each.hasRoom);
        const next = process && this.first();
        if (!next) return;
        const [id, job] = next;
        job.place = process;
        process.receive(id, job.text);
      }
    });
  }

  private first(): readonly [string, StoredJob] | undefined {
    const waiting = [...this.jobs].filter(([, { place }]) => place === 'waiting');
    return waiting.sort(([, a], [, b]) => a.priority - b.priority || a.order - b.order)[0];
  }
}

/** One process's queue. */
class MemoryProcess implements MemoryRuns {
  readonly role: RunQueue['role'];
  readonly maxAttempts: number;
  readonly credentials?: Exclude<RunQueue['credentials'], undefined>;
  readonly concurrency: number;
  private readonly active = new Set<string>();
  private readonly idle = new Set<() => void>();
  private worker: RunWorker | undefined;
  private stopped = false;
  private dead = false;

  constructor(
    private readonly shared: MemoryJobs,
    private readonly options: MemoryRunsOptions,
  ) {
    const { role = 'both', maxAttempts = 3, concurrency = 50, credentials = 'none' } = options;
    this.role = role;
    this.maxAttempts = maxAttempts;
    this.concurrency = concurrency;
    this.credentials = credentials;
  }

  get hasRoom(): boolean {
    return this.worker !== undefined && !this.stopped && this.active.size < this.concurrency;
  }

  peer(options: MemoryRunsOptions = {}): MemoryRuns {
    return new MemoryProcess(this.shared, { ...this.options, ...options });
  }

  jobs(): readonly MemoryJob[] {
    return [...this.shared.jobs.values()].map(({ text, priority }) => ({
      job: JSON.parse(text) as RunJob,
      priority,
    }));
  }

  kill(): void {
    this.dead = true;
    this.stopped = true;
    this.shared.processes.delete(this);
    for (const id of this.active) this.shared.giveBack(id, this, this.worker?.lockMs ?? 0);
    this.active.clear();
  }

  lose(): void {
    for (const id of [...this.shared.jobs.keys()]) this.shared.drop(id);
  }

  open(): Promise<void> {
    return Promise.resolve();
  }

  start(worker: RunWorker): void {
    if (this.role === 'web' || this.stopped) return;
    this.worker = worker;
    this.shared.processes.add(this);
    this.shared.deliver();
  }

  add(job: RunJob, priority: number): Promise<void> {
    this.shared.add(job, priority);
    return Promise.resolve();
  }

  missing(jobs: readonly RunJob[]): Promise<readonly RunJob[]> {
    return Promise.resolve(jobs.filter((job) => !this.shared.jobs.has(idOf(job))));
  }

  remove(job: Pick<RunJob, 'runId' | 'attempt'>): Promise<void> {
    this.shared.remove(idOf(job));
    return Promise.resolve();
  }

  size(): Promise<number> {
    const jobs = [...this.shared.jobs.values()];
    return Promise.resolve(jobs.filter(({ place }) => !(place instanceof MemoryProcess)).length);
  }

  async drain(): Promise<void> {
    this.stopped = true;
    if (this.active.size > 0) await new Promise<void>((resolve) => this.idle.add(resolve));
  }

  close(): Promise<void> {
    this.stopped = true;
    this.shared.processes.delete(this);
    for (const id of this.active) this.shared.giveBack(id, this);
    return Promise.resolve();
  }

  receive(id: string, text: string): void {
    this.active.add(id);
    void this.work(id, text);
  }

  private async work(id: string, text: string): Promise<void> {
    const { worker } = this;
    const delayMs = await worker?.work(JSON.parse(text) as RunJob).catch(() => worker.lockMs);
    this.active.delete(id);
    if (this.dead) return;
    if (delayMs !== undefined) this.shared.giveBack(id, this, this.stopped ? undefined : delayMs);
    else if (this.shared.jobs.get(id)?.place === this) this.shared.drop(id);
    if (this.active.size === 0) this.idle.forEach((resolve) => resolve());
    this.shared.deliver();
  }
}

function idOf({ runId, attempt }: Pick<RunJob, 'runId' | 'attempt'>): string {
  return JSON.stringify([runId, attempt]);
}

/**
 * A queue of runs in memory, for tests: it needs no server and uses the test's clock, so fake timers
 * control delays and locks. `peer()` is another process on the same jobs, `kill()` stops a process
 * without a shutdown, and `lose()` empties the queue.
 *
 * @param options all have a default
 * @example
 * import { memoryRuns } from 'nestjs-agent/testing';
 *
 * const runs = memoryRuns();
 *
 * async function survivesAKill(work: () => Promise<undefined>): Promise<void> {
 *   const worker = runs.peer({ role: 'worker' });
 *   worker.start({ lockMs: 1_000, work });
 *   worker.kill();
 *   runs.start({ lockMs: 1_000, work });
 *   expect(await runs.size()).toBe(0);
 * }
 */
export function memoryRuns(options: MemoryRunsOptions = {}): MemoryRuns {
  return new MemoryProcess(new MemoryJobs(), options);
}
