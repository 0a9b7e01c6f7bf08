import { defineTool } from '../../registry';
import { memoryStore, type RecordedEntry, type SessionStore } from '../../session';
import { allOf } from '../fixtures/all-of';
import { agentFixture } from '../fixtures/agent-fixture';

const OWNER = { principal: 'alice' };

/** Appends as a process of a newer release would. */
async function append(store: SessionStore, sessionId: string, entries: readonly object[]) {
  const lease = await store.acquire(sessionId, 1_000);
  if (!lease) throw new Error('Nobody else has it.');
  await store.append(sessionId, {
    lease,
    expectedVersion: lease.record.version,
    entries: entries as readonly RecordedEntry[],
    release: true,
  });
}

describe('a session that a newer release has written to', () => {
  const begun = async () => {
    const store = memoryStore();
    const fixture = await agentFixture({ store, steps: ['One.', 'Other.', 'Two.'] });
    const { agent } = fixture;
    const { sessionId, runId } = await agent.chat({ message: 'one' }, OWNER);
    const other = await agent.chat({ message: 'other' }, OWNER);
    return { ...fixture, store, sessionId, runId, other };
  };

  it('goes on where its kinds are unknown: they are kept, and passed over', async () => {
    const { agent, sessions, store, sessionId, runId, model } = await begun();
    const unknown = [
      { v: 1, type: 'run.rated', runId, stars: 5 },
      { v: 1, seq: 5, type: 'run.continued', runId },
    ];
    await append(store, sessionId, unknown);
    const next = await agent.chat({ message: 'two', sessionId }, OWNER);
    expect(next).toMatchObject({ status: 'completed', message: 'Two.' });
    expect(model.requests.at(-1)?.messages).toHaveLength(3);
    expect(await sessions.transcript(sessionId, { principal: 'alice' })).toHaveLength(4);
    const stored = (await store.read(sessionId)).map(({ entry }) => entry);
    expect(stored).toEqual(expect.arrayContaining(unknown));
    const events = await allOf(await agent.events(next.runId, OWNER));
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  });

  it('is told up to where its form is newer, and then its readers are refused', async () => {
    const store = memoryStore();
    const { agent, registry } = await agentFixture({
      store,
      permissions: { burn: 'ask' },
      steps: [
        [
          { type: 'text.delta', delta: 'Soon.' },
          { type: 'tool_use', id: '', name: 'burn', input: {} },
          { type: 'finish', reason: 'tool_use' },
        ],
      ],
    });
    registry.register(defineTool({ name: 'burn', description: 'Burns', execute: () => 'burnt' }));
    const { sessionId, runId } = await agent.chat({ message: 'burn' }, OWNER);
    await append(store, sessionId, [{ v: 3, type: 'run.taken', runId }]);
    const types: string[] = [];
    let last = 0;
    const read = async (after: number): Promise<void> => {
      for await (const { type, seq } of await agent.events(runId, { ...OWNER, after })) {
        types.push(type);
        last = seq;
      }
    };
    await expect(read(0)).rejects.toMatchObject({ code: 'session_newer' });
    expect(types).toEqual(expect.arrayContaining(['run.started', 'text.delta']));
    expect(types.at(-1)).toBe('run.finished');
    types.length = 0;
    await expect(read(last)).rejects.toMatchObject({ code: 'session_newer' });
    expect(types).toEqual([]);
  });

  it('is refused alone where its form is newer, and listed like any other', async () => {
    const { agent, sessions, store, sessionId, runId, other } = await begun();
    await append(store, sessionId, [{ v: 3, type: 'message', runId, said: 'otherwise' }]);
    const refused = { code: 'session_newer' };
    await expect(agent.chat({ message: 'two', sessionId }, OWNER)).rejects.toMatchObject(refused);
    await expect(sessions.transcript(sessionId, { principal: 'alice' })).rejects.toMatchObject(
      refused,
    );
    expect((await store.find(sessionId))?.isHeld).toBe(false);
    const listed = await sessions.list('alice');
    expect(listed.map(({ title }) => title).sort()).toEqual(['one', 'other']);
    const { sessionId: fine } = other;
    expect((await agent.chat({ message: 'two', sessionId: fine }, OWNER)).status).toBe('completed');
    expect(await agent.run(runId, OWNER)).toMatchObject({ status: 'completed' });
  });

  it.each([
    ['waits for a worker', [{ v: 1, type: 'run.queued', attempt: 1 }]],
    ['has lost its process', []],
  ])('is told up to there, if a run %s', async (_, more) => {
    const { agent, store, sessionId } = await begun();
    const runId = 'run_newer';
    const content = [{ type: 'text', text: 'hi' }];
    const started = { modelName: 'm', startedAt: new Date().toISOString() };
    const entries = [
      { v: 1, seq: 1, type: 'run.started', ...started },
      { v: 1, type: 'message', message: { role: 'user', content } },
      ...more,
      { v: 2, type: 'run.taken' },
    ];
    await append(
      store,
      sessionId,
      entries.map((entry) => ({ ...entry, runId })),
    );
    const told: string[] = [];
    const reading = (async () => {
      for await (const { type } of await agent.events(runId, OWNER)) told.push(type);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'session_newer' });
    expect(told).toEqual(['run.started']);
  });
});
