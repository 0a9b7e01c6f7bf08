import type { JobDelay, RunJob } from '../queue';

const CONCURRENCY = 50;

/** Jobs that this process executes itself, because the queue is unreachable. */
export class LocalRuns {
  /** In order. The sweep adds a job again until it is done. */
  private readonly waiting = new Map<string, RunJob>();
  private working = 0;

  constructor(
    private readonly concurrency = CONCURRENCY,
    private readonly work: (job: RunJob) => Promise<JobDelay>,
  ) {}

  add(job: RunJob): void {
    this.waiting.set(`${job.runId}.${job.attempt}`, job);
    this.next();
  }

  private next(): void {
    const [first] = this.waiting;
    if (first === undefined || this.working >= this.concurrency) return;
    const [id, job] = first;
    this.waiting.delete(id);
    this.working += 1;
    const done = (): void => {
      this.working -= 1;
      this.next();
    };
    this.work(job).then(done, done);
  }
}
