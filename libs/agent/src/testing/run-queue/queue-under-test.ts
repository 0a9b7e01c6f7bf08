import { randomUUID } from 'node:crypto';
import type { RunJob, RunQueue } from '../../run';
import type { RunQueueContract } from '../run-queue-contract';
import { TestWorker } from './test-worker';

/** The queues of a test: those of several processes on the same jobs. */
export class QueueUnderTest {
  queue!: RunQueue;
  private opened: RunQueue[] = [];

  constructor(private readonly contract: RunQueueContract) {}

  get canCutOff(): boolean {
    return this.contract.cutOff !== undefined;
  }

  async open(): Promise<void> {
    this.queue = await this.opening(this.contract.create());
  }

  /** Another process on the same jobs. */
  peer(role: RunQueue['role'] = 'both'): Promise<RunQueue> {
    return this.opening(this.contract.createPeer(role));
  }

  async cutOff(queue: RunQueue): Promise<void> {
    await this.contract.cutOff?.(queue);
  }

  async close(): Promise<void> {
    const opened = this.opened;
    this.opened = [];
    await Promise.all(opened.map((queue) => queue.close()));
    await this.contract.destroy?.();
  }

  /** Starts a worker on this queue. */
  working(queue: RunQueue = this.queue, worker = new TestWorker()): TestWorker {
    queue.start(worker);
    return worker;
  }

  private async opening(made: RunQueue | Promise<RunQueue>): Promise<RunQueue> {
    const queue = await made;
    this.opened.push(queue);
    await queue.open();
    return queue;
  }
}

/** A job of a run that no other test uses. */
export function newJob(more: Partial<RunJob> = {}): RunJob {
  return { v: 1, runId: randomUUID(), sessionId: randomUUID(), attempt: 1, ...more };
}
