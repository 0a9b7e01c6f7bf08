import type { PGlite } from '@electric-sql/pglite';
import { textOf } from '../../message';
import { defineTool } from '../../registry';
import { sqlStore } from '../../sql';
import { newDatabase } from '../../../../../test/support/new-database';
import { memoryStore } from '../../session';
import { Barrier } from '../../testing';
import { allOf } from '../fixtures/all-of';
import { DyingStore } from '../fixtures/dying.store';
import { agentFixture, type AgentFixture } from '../fixtures/agent-fixture';

const alice = { principal: 'alice' };
const bob = { principal: 'bob' };
const LEASE_MS = 30_000;

describe('a session', () => {
  // Creating a database takes seconds, so the tests share one.
  let database: PGlite;
  beforeAll(async () => {
    database = await newDatabase();
  });
  afterAll(() => database.close());

  afterEach(() => jest.restoreAllMocks());

  const saidTo = ({ model }: AgentFixture): readonly string[] =>
    (model.requests.at(-1)?.messages ?? []).map((message) => textOf(message));

  describe.each([
    ['in memory', memoryStore],
    ['in SQL', () => sqlStore({ client: database })],
  ])('that is rewound, %s', (_where, newStore) => {
    it('goes on from before the run, and shows nothing of it', async () => {
      const under = await agentFixture({
        steps: ['One.', 'Two.', 'Three.', 'Another two.'],
        store: newStore(),
      });
      const { agent, sessions } = under;
      const first = await agent.chat({ message: '1?' }, alice);
      const { sessionId } = first;
      const second = await agent.chat({ message: '2?', sessionId }, alice);
      const third = await agent.chat({ message: '3?', sessionId }, alice);
      await sessions.rewind(sessionId, { beforeRun: second.runId }, alice);
      const kept = await sessions.transcript(sessionId, alice);
      expect(kept.map((message) => textOf(message))).toEqual(['1?', 'One.']);
      const again = await agent.chat({ message: '2??', sessionId }, alice);
      expect(saidTo(under)).toEqual(['1?', 'One.', '2??']);
      const shown = await sessions.transcript(sessionId, alice);
      expect(shown.map(({ runId }) => runId)).toEqual([
        first.runId,
        first.runId,
        again.runId,
        again.runId,
      ]);
      // The runs themselves can still be read.
      expect(await agent.run(third.runId, alice)).toMatchObject({ message: 'Three.' });
    });

    it('replaces a run by the next message, in one step', async () => {
      const under = await agentFixture({ steps: ['One.', 'Two.', 'Better.'], store: newStore() });
      const { agent, sessions } = under;
      const { sessionId } = await agent.chat({ message: '1?' }, alice);
      const second = await agent.chat({ message: '2?', sessionId }, alice);
      const input = { message: '2?', sessionId, replaceRun: second.runId };
      const better = await agent.chat(input, alice);
      expect(saidTo(under)).toEqual(['1?', 'One.', '2?']);
      const events = await allOf(await agent.events(better.runId, alice));
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      const shown = await sessions.transcript(sessionId, alice);
      expect(shown.map((message) => textOf(message))).toEqual(['1?', 'One.', '2?', 'Better.']);
      // A run can be rewound only once.
      await expect(agent.chat(input, alice)).rejects.toMatchObject({ code: 'run_not_replaceable' });
      expect(await sessions.transcript(sessionId, alice)).toHaveLength(4);
    });
  });

  it('keeps what a run did before it was taken back, and lets nobody approve it any more', async () => {
    const deeds: string[] = [];
    const { agent, registry, sessions } = await agentFixture({
      steps: [{ toolCalls: [{ id: 'c1', name: 'write', input: {} }] }, 'Else.'],
      permissions: { write: 'ask' },
    });
    registry.register(
      defineTool({ name: 'write', description: 'Write', execute: () => deeds.push('written') }),
    );
    const waiting = await agent.chat({ message: 'write' }, alice);
    const { sessionId, runId } = waiting;
    await agent.chat({ message: 'something else', sessionId, replaceRun: runId }, alice);
    const late = agent.resolve(runId, [{ callId: 'c1', type: 'approve' }], alice);
    await expect(late).rejects.toMatchObject({ code: 'already_resolved' });
    expect(deeds).toEqual([]);
    expect(await agent.run(runId, alice)).toMatchObject({ status: 'cancelled' });
    const shown = await sessions.transcript(sessionId, alice);
    expect(shown.map((message) => textOf(message))).toEqual(['something else', 'Else.']);
  });

  it('is rewound by nobody else, by no foreign run, and not while a run is under way', async () => {
    const gate = new Barrier();
    const { agent, sessions } = await agentFixture({ steps: ['One.', 'Other.', [gate]] });
    const mine = await agent.chat({ message: 'mine' }, alice);
    const other = await agent.chat({ message: 'other' }, alice);
    const { sessionId, runId } = mine;
    const rewind = (beforeRun: string, who: object) =>
      sessions.rewind(sessionId, { beforeRun }, who);
    await expect(rewind(runId, bob)).rejects.toMatchObject({ code: 'session_not_found' });
    await expect(rewind(runId, {})).rejects.toMatchObject({ code: 'session_not_found' });
    await expect(rewind(other.runId, alice)).rejects.toMatchObject({ code: 'run_not_found' });
    await expect(rewind('run_no', alice)).rejects.toMatchObject({ code: 'run_not_found' });
    const running = await agent.start({ message: 'on', sessionId }, alice);
    await gate.reached;
    await expect(rewind(runId, alice)).rejects.toMatchObject({ code: 'session_busy' });
    running.cancel();
    await running.finished;
    await expect(agent.chat({ message: 'x', replaceRun: runId }, alice)).rejects.toMatchObject({
      code: 'invalid_input',
      field: 'replaceRun',
    });
  });

  it('is read with ids, times and outcomes, the ids of its client among them', async () => {
    const { agent, registry, sessions } = await agentFixture({
      steps: [
        {
          toolCalls: [
            { id: 'a', name: 'look', input: {} },
            { id: 'b', name: 'fail', input: {} },
            { id: 'c', name: 'ask', input: {} },
            { id: 'd', name: 'ask', input: {} },
          ],
        },
        'Done.',
      ],
      permissions: { ask: 'ask' },
    });
    for (const name of ['look', 'ask']) {
      registry.register(defineTool({ name, description: name, execute: () => 'ok' }));
    }
    const fail = (): never => {
      throw new Error('no');
    };
    registry.register(defineTool({ name: 'fail', description: 'fail', execute: fail }));
    const messageId = '5b0ff3a3-1e56-4c7a-9d5c-0c6e0a4b7f11';
    const waiting = await agent.chat({ message: 'go', messageId }, alice);
    const { sessionId, runId } = waiting;
    expect(await sessions.get(sessionId, alice)).toMatchObject({
      sessionId,
      title: 'go',
      run: { runId, status: 'requires_action', pendingActions: [{ callId: 'c' }, { callId: 'd' }] },
    });
    await expect(sessions.get(sessionId, bob)).rejects.toMatchObject({ code: 'session_not_found' });
    const resumed = await agent.resume(
      runId,
      [
        { callId: 'c', type: 'reject', reason: 'Not now.' },
        { callId: 'd', type: 'approve' },
      ],
      alice,
    );
    if ('partial' in resumed) throw new Error('Something is still pending.');
    expect(resumed).toMatchObject({
      model: 'scripted',
      before: { usage: { totalTokens: 15 }, calls: ['a', 'b', 'c', 'd'] },
    });
    await resumed.finished;
    const transcript = await sessions.transcript(sessionId, alice);
    expect(transcript[0]).toMatchObject({ id: messageId, runId, role: 'user' });
    expect(transcript[2]?.outcomes).toEqual({ a: 'ok', b: 'error', c: 'declined', d: 'ok' });
    expect(transcript[2]?.approvals).toEqual({
      c: { approved: false, reason: 'Not now.' },
      d: { approved: true },
    });
    expect(new Set(transcript.map(({ id }) => id)).size).toBe(4);
    for (const { at } of transcript) expect(Date.parse(at ?? '')).toBeGreaterThan(0);
    expect(await sessions.transcript(sessionId, alice)).toEqual(transcript);
  });

  it('is not rewound into a run of which a summary tells', async () => {
    const { agent, registry, model, sessions } = await agentFixture({
      steps: [
        { toolCalls: [{ id: 'a', name: 'look', input: { at: 'the secret' } }] },
        {
          toolCalls: [{ id: 'b', name: 'look', input: {} }],
          usage: { inputTokens: 1_990, outputTokens: 10, totalTokens: 2_000 },
        },
        'They looked at the secret.',
        'Done.',
        'Next.',
      ],
      options: {
        compaction: { thresholdTokens: 1_500, keepRecentTokens: 1_000, keepOriginals: true },
      },
    });
    registry.register(
      defineTool({
        name: 'look',
        description: 'Look',
        readOnly: true,
        input: { type: 'object', properties: { at: { type: 'string' } } },
        execute: ({ at }: { at?: string }) => (at === undefined ? 'seen' : 'seen '.repeat(800)),
      }),
    );
    const { sessionId, runId } = await agent.chat({ message: 'Look twice' }, alice);
    // The question is still there, and a summary describes the run.
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('They looked at the secret.');
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('Look twice');
    const again = agent.chat({ message: 'Do not', sessionId, replaceRun: runId }, alice);
    await expect(again).rejects.toMatchObject({ code: 'run_not_replaceable' });
    const next = await agent.chat({ message: 'Then', sessionId }, alice);
    await sessions.rewind(sessionId, { beforeRun: next.runId }, alice);
  });

  it('leaves what waits alone where nothing can be taken back', async () => {
    const { agent, registry, sessions } = await agentFixture({
      steps: ['One.', 'One more.', { toolCalls: [{ id: 'c', name: 'write', input: {} }] }, 'Done.'],
      permissions: { write: 'ask' },
    });
    registry.register(
      defineTool({ name: 'write', description: 'Write', execute: () => 'written' }),
    );
    const { sessionId, runId: gone } = await agent.chat({ message: '1?' }, alice);
    await agent.chat({ message: '1!', sessionId, replaceRun: gone }, alice);
    const { runId } = await agent.chat({ message: 'write', sessionId }, alice);
    const stale = agent.chat({ message: '1?', sessionId, replaceRun: gone }, alice);
    await expect(stale).rejects.toMatchObject({ code: 'run_not_replaceable' });
    const rewound = sessions.rewind(sessionId, { beforeRun: 'run_no' }, alice);
    await expect(rewound).rejects.toMatchObject({ code: 'run_not_found' });
    expect(await agent.run(runId, alice)).toMatchObject({ status: 'requires_action' });
  });

  it('names its messages uniquely, whatever its client calls them', async () => {
    const { agent, registry, sessions } = await agentFixture({
      steps: [
        { toolCalls: [{ id: 'a', name: 'look', input: {} }] },
        'One.',
        'Two.',
        'Three.',
        'Four.',
      ],
    });
    registry.register(defineTool({ name: 'look', description: 'Look', execute: () => 'ok' }));
    const first = await agent.chat({ message: '1?', messageId: '3.results' }, alice);
    const { sessionId } = first;
    for (const messageId of ['3', 'mine', 'mine']) {
      await agent.chat({ message: 'on', sessionId, messageId }, alice);
    }
    const ids = (await sessions.transcript(sessionId, alice)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => id === 'mine')).toHaveLength(1);
    expect(ids).toContain('3');
  });

  it('replaces a run whose process died while it called a tool', async () => {
    const store = memoryStore();
    const dying = new DyingStore(store, Infinity, 'after');
    const dead = await agentFixture({
      steps: [{ toolCalls: [{ id: 'c', name: 'write', input: {} }] }],
      store: dying.asStore(),
      options: { leaseMs: LEASE_MS },
    });
    dead.registry.register(
      defineTool({ name: 'write', description: 'Write', execute: () => dying.die() }),
    );
    const cut = await dead.agent.start({ message: 'write' }, alice);
    await cut.finished.catch(() => undefined);
    const { sessionId, runId } = cut;
    const died = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => died + LEASE_MS + 1);
    const under = await agentFixture({ steps: ['Else.', 'More.'], store });
    const input = { message: 'something else', sessionId, replaceRun: runId };
    expect(await under.agent.chat(input, alice)).toMatchObject({ status: 'completed' });
    expect(saidTo(under)).toEqual(['something else']);
    expect(await under.agent.run(runId, alice)).toMatchObject({ status: 'failed' });
    const events = await allOf(await under.agent.events(runId, alice));
    const numbers = events.map(({ seq }) => seq);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', status: 'failed' });
    await dead.module.close().catch(() => undefined);
  });

  it.each([true, false])(
    'is read alike after a rewind across a summary, originals kept: %s',
    async (keepOriginals) => {
      const usage = { inputTokens: 1_990, outputTokens: 10, totalTokens: 2_000 };
      const under = await agentFixture({
        steps: ['One.', { text: 'Two.', usage }, 'They spoke.', 'Three.', 'Better.'],
        options: { compaction: { thresholdTokens: 1_500, keepRecentTokens: 40, keepOriginals } },
      });
      const { agent, sessions } = under;
      const { sessionId } = await agent.chat({ message: `1? ${'word '.repeat(300)}` }, alice);
      await agent.chat({ message: '2?', sessionId }, alice);
      const third = await agent.chat({ message: '3?', sessionId }, alice);
      expect(saidTo(under)[0]).toContain('They spoke.');
      await agent.chat({ message: '3!', sessionId, replaceRun: third.runId }, alice);
      expect(saidTo(under)[0]).toContain('They spoke.');
      expect(saidTo(under).at(-1)).toBe('3!');
      const shown = await sessions.transcript(sessionId, alice);
      const texts = shown.map((message) => textOf(message));
      expect(texts.slice(-2)).toEqual(['3!', 'Better.']);
      expect(texts).not.toContain('3?');
      expect(texts.some((text) => text.startsWith('1?'))).toBe(keepOriginals);
      expect(shown[0]?.id === 'summary').toBe(!keepOriginals);
      expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
    },
  );
});
