import { EMPTY_SESSION, memoryStore } from '../../session';
import { StoredJournal } from './stored.journal';

const LEASE_MS = 60_000;
const USAGE = {
  inputTokens: 1,
  outputTokens: 1,
  totalTokens: 2,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};
const STARTED = [
  { type: 'run.started', runId: 'r', modelName: 'm', startedAt: '' },
  {
    type: 'step.finished',
    runId: 'r',
    step: 1,
    usage: USAGE,
    finishReason: 'tool_use',
    message: {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'c', name: 'ask_other', input: {} }],
    },
  },
] as const;
const SETTLED = {
  type: 'call.settled',
  runId: 'r',
  durationMs: 1,
  outcome: 'ok',
  result: { type: 'tool_result', tool_use_id: 'c', content: 'Done.', is_error: false },
} as const;

describe('StoredJournal', () => {
  it('stores what was told and spent with the next entry, if its own write fails', async () => {
    const store = memoryStore();
    const lease = await store.acquireNew?.({ id: 's' }, LEASE_MS);
    if (!lease) throw new Error('A new session is free.');
    const taken = { lease, heldSince: performance.now(), state: EMPTY_SESSION };
    const options = { leaseMs: LEASE_MS, agent: 'agent', folded: { keep: () => undefined } };
    const journal = new StoredJournal(store, taken, options, 'r');
    await journal.append(...STARTED);

    const append = jest.spyOn(store, 'append').mockRejectedValueOnce(new Error('Reset.'));
    journal.emitter.progress.spend('c', 'm', USAGE);
    const event = {
      type: 'step.finished',
      step: 1,
      usage: USAGE,
      finishReason: 'end_turn',
    } as const;
    const by = { agent: 'other', parentCallId: 'c' };
    journal.emitter.emit({ callId: 'c', event: { ...event, ...by } });
    await new Promise((resolve) => setImmediate(resolve));
    expect(append).toHaveBeenCalledTimes(1);

    await journal.append(SETTLED);
    const entries = (await store.read('s')).map(({ entry }) => `${entry.type} ${entry.seq ?? ''}`);
    expect(entries.slice(2)).toEqual(['agent.spent ', 'agent.told 4', 'call.settled 5']);
    expect(journal.state.run?.usage.totalTokens).toBe(4);
    const told = journal.emitter.feed.eventsFrom(0) ?? [];
    expect(told.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  });
});
