import { becomes } from '../patience';
import { testGlobals } from '../test-globals';
import type { BusUnderTest } from './bus-under-test';

/** Signals to a run, from another process. */
export function describeSignals(under: BusUnderTest): void {
  const { describe, it, expect } = testGlobals();

  describe('a signal', () => {
    it('reaches the run, and no other run', async () => {
      const [run, other] = [await under.run(), await under.run()];
      const { runId, signals } = run;
      expect(await under.peer.signal(runId, { type: 'delivered', callId: 'call 1' })).toBe(true);
      expect(await under.peer.signal(runId, { type: 'stop' })).toBe(true);
      await becomes(() => Promise.resolve(signals.length), 2);
      expect(signals).toEqual([{ type: 'delivered', callId: 'call 1' }, { type: 'stop' }]);
      expect(other.signals).toHaveLength(0);
    });

    it('is all that a run receives, even while the bus is checked', async () => {
      const { runId, signals } = await under.run();
      await under.peer.check?.();
      expect(await under.peer.signal(runId, { type: 'stop' })).toBe(true);
      await becomes(() => Promise.resolve(signals.length), 1);
      expect(signals).toEqual([{ type: 'stop' }]);
    });

    it('reaches no process if the run is not open', async () => {
      expect(await under.peer.signal('unknown', { type: 'stop' })).toBe(false);
      const { runId, channel } = await under.run();
      channel.close();
      await becomes(() => under.peer.signal(runId, { type: 'stop' }), false);
      expect(await under.peer.signal(runId, { type: 'stop' })).toBe(false);
    });
  });
}
