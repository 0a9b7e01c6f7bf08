import type { JobDelay, RunJob, RunWorker } from '../../run';
import { PATIENCE_MS, within } from '../patience';

/** A delivered job that waits for its outcome. */
export interface Delivered {
  readonly job: RunJob;
  readonly at: number;
  /** Ends the work: the job is done, or is delivered again after `delay` milliseconds. */
  end(delay?: JobDelay): void;
  /** Makes the work reject. */
  fail(error: Error): void;
}

/** A worker whose jobs a test takes one by one, in the order of their delivery. */
export class TestWorker implements RunWorker {
  /** All deliveries so far. */
  readonly delivered: RunJob[] = [];
  private readonly untaken: Delivered[] = [];
  private readonly waiting: ((delivered: Delivered) => void)[] = [];

  constructor(readonly lockMs = 1_000) {}

  work(job: RunJob): Promise<JobDelay> {
    this.delivered.push(job);
    return new Promise((end, fail) => {
      const delivered = { job, at: Date.now(), end, fail };
      const taker = this.waiting.shift();
      if (taker) taker(delivered);
      else this.untaken.push(delivered);
    });
  }

  /** The next delivery; fails if there is none for a long time. */
  async next(): Promise<Delivered> {
    const first = this.untaken.shift();
    if (first) return first;
    const next = new Promise<Delivered>((resolve) => {
      this.waiting.push(resolve);
    });
    return within(next, PATIENCE_MS, `No job was delivered within ${PATIENCE_MS} ms.`);
  }

  /** Takes deliveries and ends them at once. */
  async finish(count: number): Promise<readonly RunJob[]> {
    const jobs: RunJob[] = [];
    while (jobs.length < count) {
      const delivered = await this.next();
      jobs.push(delivered.job);
      delivered.end();
    }
    return jobs;
  }
}
