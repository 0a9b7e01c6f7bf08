import { type AgentEvent, batchesOf } from '../../message';
import { EventFeed } from './event-feed';

function eventsUpTo(last: number): readonly AgentEvent[] {
  return Array.from({ length: last }, (_, index) => ({
    type: 'text.delta',
    delta: '',
    runId: 'run_1',
    seq: index + 1,
  }));
}

describe('the feed of a run', () => {
  it('gives a slow reader a few events at a time, and all in the end', async () => {
    const feed = new EventFeed(0);
    feed.push(eventsUpTo(10_000));
    feed.end();
    const seqs: number[] = [];
    for await (const batch of batchesOf(feed.read(4_000))) {
      expect(batch.length).toBeLessThanOrEqual(1_000);
      for (const { seq } of batch) seqs.push(seq);
    }
    expect(seqs).toEqual(Array.from({ length: 6_000 }, (_, index) => 4_001 + index));
  });
});
