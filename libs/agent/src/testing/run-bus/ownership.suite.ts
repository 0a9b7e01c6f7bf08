import { testGlobals } from '../test-globals';
import { seqsOf, words, type BusUnderTest } from './bus-under-test';

/** A run that continues in another process, as leases allow. */
export function describeOwnership(under: BusUnderTest): void {
  const { describe, it, expect } = testGlobals();

  describe('a run that is opened again', () => {
    it('continues above its last number after a wait', async () => {
      const { runId, channel } = await under.run();
      channel.publish(words(runId, 5));
      channel.close();
      const next = await under.run({ runId, lastSeq: 5, leaseToken: 2 }, under.peer);
      const reading = under.heard(runId, 5);
      next.channel.publish(words(runId, 2, 5));
      next.channel.close();
      expect(seqsOf(await reading)).toEqual([6, 7]);
    });

    it('belongs to the newer lease: events of the older one are refused', async () => {
      const { runId, channel } = await under.run({ leaseToken: 1 });
      channel.publish(words(runId, 3));
      await under.some(under.follow(runId), 3);
      const next = await under.run({ runId, lastSeq: 3, leaseToken: 2 }, under.peer);
      const reader = under.follow(runId, 3);
      channel.publish([{ type: 'text.delta', delta: 'stale', runId, seq: 4 }]);
      channel.close();
      const sent = words(runId, 2, 3);
      next.channel.publish(sent);
      expect(await under.some(reader, 2)).toEqual(sent);
    });

    it('does not belong to an older lease that opens it later', async () => {
      const next = await under.run({ leaseToken: 2 }, under.peer);
      const { runId } = next;
      next.channel.publish(words(runId, 1));
      await under.some(under.follow(runId), 1);
      const onSignal = (): void => undefined;
      const stale = under.bus.open({ runId, lastSeq: 0, leaseToken: 1, onSignal });
      stale.publish([{ type: 'text.delta', delta: 'stale', runId, seq: 1 }]);
      const reader = under.follow(runId);
      expect(await under.some(reader, 1)).toEqual(words(runId, 1));
      stale.close();
      next.channel.publish(words(runId, 1, 1));
      expect(await under.some(reader, 1)).toEqual(words(runId, 1, 1));
    });
  });
}
