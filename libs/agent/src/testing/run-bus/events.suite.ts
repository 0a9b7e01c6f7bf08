import { randomUUID } from 'node:crypto';
import { testGlobals } from '../test-globals';
import { seqsOf, words, type BusUnderTest } from './bus-under-test';

/** Events of a run, read in another process. */
export function describeEvents(under: BusUnderTest): void {
  const { describe, it, expect } = testGlobals();

  describe('the events of a run', () => {
    it('arrive immediately and unchanged until the run is closed', async () => {
      const { runId, channel } = await under.run();
      const reader = under.follow(runId);
      const sent = words(runId, 3);
      channel.publish(sent.slice(0, 1));
      expect(await under.some(reader, 1)).toEqual(sent.slice(0, 1));
      channel.publish(sent.slice(1));
      expect(await under.some(reader, 2)).toEqual(sent.slice(1));
      channel.close();
      expect(await under.rest(reader)).toHaveLength(0);
    });

    it('may contain any text', async () => {
      const { runId, channel } = await under.run();
      const delta = 'NUL \u0000, half a pair \ud83d, "quotes" \\ \n\u2028 ü 漢 🎉';
      const events = [{ type: 'text.delta', delta, runId, seq: 1 }] as const;
      channel.publish(events);
      expect(await under.some(under.follow(runId), 1)).toEqual(events);
    });

    it('arrive exactly from above a number, however late the reader comes', async () => {
      const { runId, channel } = await under.run();
      channel.publish(words(runId, 20));
      await under.some(under.follow(runId), 20);
      const readers = [0, 7, 19].map((after) => [after, under.follow(runId, after)] as const);
      for (const [after, reader] of readers) {
        const expected = seqsOf(words(runId, 20 - after, after));
        expect(seqsOf(await under.some(reader, 20 - after))).toEqual(expected);
      }
    });

    it('arrive once and in order, however many there are', async () => {
      const { runId, channel } = await under.run();
      const reading = under.heard(runId);
      const all = words(runId, 3_000);
      for (let place = 0; place < all.length; place += 60) {
        channel.publish(all.slice(place, place + 60));
        if (place % 300 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }
      channel.close();
      expect(await reading).toEqual(all);
    });

    it('reach each reader, including slow ones, and no reader of another run', async () => {
      const [{ runId, channel }, other] = [await under.run(), await under.run()];
      const [slow, left] = [under.follow(runId), under.follow(runId)];
      const others = under.heard(other.runId, 0, 0);
      channel.publish(words(runId, 1));
      await under.some(slow, 1);
      await under.some(left, 1);
      await left.return?.();
      const quick = under.heard(runId);
      channel.publish(words(runId, 600, 1));
      channel.close();
      expect(await quick).toHaveLength(601);
      expect(seqsOf(await under.rest(slow))).toEqual(seqsOf(words(runId, 600, 1)));
      other.channel.close();
      expect(await others).toHaveLength(0);
    });

    it('end with the close, also for waiting readers', async () => {
      const { runId, channel } = await under.run();
      const ends = [under.heard(runId, 0, 0), under.heard(runId, 0, 0)];
      const left = under.follow(runId);
      void left.next();
      await left.return?.();
      channel.close();
      channel.close();
      for (const events of await Promise.all(ends)) expect(events).toHaveLength(0);
    });

    it('are empty for a reader above all numbers, which still receives the end', async () => {
      const { runId, channel } = await under.run();
      const end = under.heard(runId, Number.MAX_SAFE_INTEGER, 0);
      channel.publish(words(runId, 2));
      channel.close();
      expect(await end).toHaveLength(0);
    });

    it('are empty for an unknown run, and if earlier ones are missing', async () => {
      expect(await under.heard('unknown', 0, 0)).toHaveLength(0);
      const { runId, channel } = await under.run({ lastSeq: 10 });
      channel.publish(words(runId, 2, 10));
      expect(await under.some(under.follow(runId, 10), 2)).toHaveLength(2);
      expect(await under.heard(runId, 9)).toHaveLength(0);
    });

    it('wake a reader that came before the run was opened, also repeatedly', async () => {
      const runId = randomUUID();
      const early = under.heard(runId, 4);
      const { channel } = await under.run({ runId, lastSeq: 4 });
      channel.publish(words(runId, 2, 4));
      channel.close();
      expect(seqsOf(await early)).toEqual([5, 6]);
      const again = under.follow(runId, 6);
      const first = under.some(again, 1);
      const next = await under.run({ runId, lastSeq: 6, leaseToken: 2 }, under.peer);
      next.channel.publish(words(runId, 1, 6));
      expect(seqsOf(await first)).toEqual([7]);
    });

    it('are awaited no longer than the reader allows, and not if earlier ones are missing', async () => {
      expect(await under.heard('unknown', 0, 5)).toHaveLength(0);
      const runId = randomUUID();
      const early = under.heard(runId, 3);
      const { channel } = await under.run({ runId, lastSeq: 4 });
      channel.publish(words(runId, 1, 4));
      expect(await early).toHaveLength(0);
    });

    it('arrive whole if they are too large for a message, or consist of empty lines', async () => {
      const { runId, channel } = await under.run();
      const reader = under.follow(runId);
      const deltas = ['a', 'b'.repeat(40_000), '\n\n'];
      const sent = deltas.map(
        (delta, index) => ({ type: 'text.delta', delta, runId, seq: index + 1 }) as const,
      );
      for (const event of sent) {
        channel.publish([event]);
        expect(await under.some(reader, 1)).toEqual([event]);
      }
    });

    it('are empty after the close', async () => {
      const { runId, channel } = await under.run();
      const reading = under.heard(runId);
      channel.publish(words(runId, 1));
      channel.close();
      channel.publish(words(runId, 1, 1));
      expect(await reading).toHaveLength(1);
    });
  });
}
