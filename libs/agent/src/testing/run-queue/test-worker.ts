import type { JobDelay, RunJob, RunWorker } from '../../run';

const PATIENCE_MS = 15_000;

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
    return new Promise((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`No job was delivered within ${PATIENCE_MS} ms.`)),
        PATIENCE_MS,
      );
      this.waiting.push((delivered) => {
        clearTimeout(late);
        resolve(delivered);
      });
    });
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

/** Polls until the value is the expected one: a server may record an outcome with a delay. */
export async function becomes<T>(ask: () => Promise<T>, expected: T): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (answer === expected) return;
    if (Date.now() > giveUpAt) {
      throw new Error(`It remained ${String(answer)} and did not become ${String(expected)}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
