import type { RunBus } from '../run';
import { BusUnderTest, describeEvents, describeOwnership, describeSignals } from './run-bus';
import { testGlobals } from './test-globals';

/** How the suite creates the bus it examines. */
export interface RunBusContract {
  /** A bus. Called once. */
  create(): RunBus | Promise<RunBus>;
  /**
   * The bus of a second process, if several processes share it; the first one by default.
   */
  createPeer?(): RunBus | Promise<RunBus>;
  /** Cleans up after `close()`; nothing by default. */
  destroy?(): unknown;
}

const BOOT_TIMEOUT_MS = 60_000;

/**
 * The test suite for every `RunBus`, for Jest or a runner with the same globals. Run it for a bus of
 * your own. Its runs have random ids.
 *
 * @param name the suite's name in the output
 * @param contract how the suite creates the bus
 * @throws Error outside a test runner
 * @example
 * import { describeRunBus } from 'nestjs-agent/testing';
 *
 * describeRunBus('memoryBus', { create: () => memoryBus() });
 */
export function describeRunBus(name: string, contract: RunBusContract): void {
  const { describe, beforeAll, afterEach, afterAll } = testGlobals();

  describe(`${name} as a run bus`, () => {
    const under = new BusUnderTest(contract);

    beforeAll(() => under.open(), BOOT_TIMEOUT_MS);
    afterEach(() => under.closeRuns());
    afterAll(() => under.close(), BOOT_TIMEOUT_MS);

    describeEvents(under);
    describeOwnership(under);
    describeSignals(under);
  });
}
