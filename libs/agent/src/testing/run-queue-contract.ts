import type { RunQueue } from '../run';
import {
  describeDelivery,
  describeKeeping,
  describeOrder,
  describeStopping,
  QueueUnderTest,
} from './run-queue';
import { testGlobals } from './test-globals';

/** How the suite creates the queues it examines. */
export interface RunQueueContract {
  /** A queue without jobs, with the role `both`. Called once for each test. */
  create(): RunQueue | Promise<RunQueue>;
  /**
   * Another process's queue on the same jobs as the latest `create()`.
   *
   * @param role the role of that process
   */
  createPeer(role: RunQueue['role']): RunQueue | Promise<RunQueue>;
  /**
   * Permanently separates a peer from the jobs, as the death of its process does. Without this method
   * the suite does not examine the expiry of locks.
   *
   * @param peer one of `createPeer()`
   */
  cutOff?(peer: RunQueue): unknown;
  /** Cleans up after each test, when all queues are closed; nothing by default. */
  destroy?(): unknown;
}

/**
 * The test suite for every `RunQueue`, for Jest or a runner with the same globals. Run it for a
 * queue of your own.
 *
 * @param name the suite's name in the output
 * @param contract how the suite creates the queues
 * @throws Error outside a test runner
 * @example
 * import { describeRunQueue, memoryRuns, type MemoryRuns } from 'nestjs-agent/testing';
 *
 * let runs: MemoryRuns;
 * describeRunQueue('memoryRuns', {
 *   create: () => (runs = memoryRuns()),
 *   createPeer: (role) => runs.peer({ role }),
 * });
 */
export function describeRunQueue(name: string, contract: RunQueueContract): void {
  const { describe, beforeEach, afterEach } = testGlobals();

  describe(`${name} as a run queue`, () => {
    const under = new QueueUnderTest(contract);

    beforeEach(() => under.open());
    afterEach(() => under.close());

    describeDelivery(under);
    describeOrder(under);
    describeKeeping(under);
    describeStopping(under);
  });
}
