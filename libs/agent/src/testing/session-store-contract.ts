import type { SessionStore } from '../session';
import {
  describeAgents,
  describeChildren,
  describeDeletion,
  describeDeletionOfChildren,
  describeDeliveries,
  describeJournal,
  describeLeases,
  describeNewLeases,
  describeSessions,
  describeQueuedRuns,
  describeUsage,
  StoreUnderTest,
} from './session-store';
import { testGlobals } from './test-globals';

/** How the suite creates the store it examines. */
export interface SessionStoreContract {
  /** A store without sessions, or one whose sessions may all be deleted. Called once. */
  create(): SessionStore | Promise<SessionStore>;
  /**
   * A second store on the same sessions, if several processes may share them; the first one by
   * default.
   */
  createPeer?(): SessionStore | Promise<SessionStore>;
  /** Cleans up after `close()`; nothing by default. */
  destroy?(): unknown;
}

const BOOT_TIMEOUT_MS = 60_000;

/**
 * The test suite for every `SessionStore`, for Jest or a runner with the same globals. Run it for a
 * store of your own. It deletes all sessions in the store.
 *
 * @param name the suite's name in the output
 * @param contract how the suite creates the store
 * @throws Error outside a test runner
 * @example
 * import { describeSessionStore } from 'nestjs-agent/testing';
 *
 * describeSessionStore('memoryStore', { create: () => memoryStore() });
 */
export function describeSessionStore(name: string, contract: SessionStoreContract): void {
  const { describe, beforeAll, beforeEach, afterAll } = testGlobals();

  describe(`${name} as a session store`, () => {
    const under = new StoreUnderTest(contract);

    beforeAll(() => under.open(), BOOT_TIMEOUT_MS);
    beforeEach(() => under.store.deleteAll());
    afterAll(() => under.close(), BOOT_TIMEOUT_MS);

    describeSessions(under);
    describeAgents(under);
    describeChildren(under);
    describeJournal(under);
    describeLeases(under);
    describeNewLeases(under);
    describeDeliveries(under);
    describeDeletion(under);
    describeDeletionOfChildren(under);
    describeUsage(under);
    describeQueuedRuns(under);
  });
}
