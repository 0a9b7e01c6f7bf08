import { defineTool } from '../registry';
import {
  LeaseLostError,
  memoryStore,
  SessionStoreError,
  type Appended,
  type AppendOptions,
  type SessionStore,
} from '../session';
import { Barrier } from '../testing';
import type { ToolContext } from '../tool';
import { allOf } from './fixtures/all-of';
import { agentFixture } from './fixtures/agent-fixture';

/** A store that fails after this many writes; the question is stored with its session. */
function failingAfter(writes: number, failure: () => Error): SessionStore {
  const store = memoryStore();
  let left = writes;
  const append = (sessionId: string, options: AppendOptions): Promise<Appended> =>
    (left -= 1) < 0 ? Promise.reject(failure()) : store.append(sessionId, options);
  return new Proxy(store, {
    get: (target, key) => {
      if (key === 'append') return append;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** A store that fails at one write; the question is stored with its session. */
function failingAt(write: number): SessionStore {
  const store = memoryStore();
  const inner = store.append.bind(store);
  let writes = 0;
  store.append = (...args) =>
    (writes += 1) === write
      ? Promise.reject(new SessionStoreError('store_unavailable', 'Reset.'))
      : inner(...args);
  return store;
}

describe('a run of whose writes one fails', () => {
  const POKE = { text: 'I poke.', toolCalls: [{ id: 'c', name: 'poke' }] };
  // The answer with its call, the start of the call, its result, the end.
  it.each([1, 2, 3, 4])('at write %d ends as failed, and keeps what was said', async (write) => {
    const { agent, registry, sessions, store } = await agentFixture({
      store: failingAt(write),
      steps: [POKE, 'Poked.', 'Next.'],
    });
    registry.register(defineTool({ name: 'poke', description: 'Poke', execute: () => 'ok' }));
    const { runId, sessionId, status, error } = await agent.chat({ message: 'go' });
    expect({ status, code: error?.code }).toEqual({ status: 'failed', code: 'store_unavailable' });
    const entries = (await store.read(sessionId)).map(({ entry }) => entry);
    expect(entries.at(-1)).toMatchObject({ type: 'run.finished', runId, status: 'failed' });
    const said = JSON.stringify(await sessions.transcript(sessionId));
    expect(said).toContain('I poke.');
    expect(said.includes('Poked.')).toBe(write === 4);
    const next = await agent.chat({ message: 'more', sessionId });
    expect(next).toMatchObject({ status: 'completed' });
  });

  it('as an answer breaks off after a call keeps that answer', async () => {
    const { agent, sessions } = await agentFixture({
      store: failingAt(1),
      steps: [
        [
          { type: 'provider_tool', id: 'mcp_1', name: 'send_mail' },
          { type: 'text.delta', delta: 'Sent.' },
          { type: 'tool_use', id: 'c', name: 'poke', input: {} },
          new Error('Broken.'),
        ],
      ],
    });
    const { sessionId, status } = await agent.chat({ message: 'go' });
    expect(status).toBe('failed');
    const [, answer, results] = await sessions.transcript(sessionId);
    expect(answer).toMatchObject({ role: 'assistant', partial: true });
    expect(answer?.content.map(({ type }) => type)).toEqual(['provider_tool', 'text', 'tool_use']);
    expect(results?.content).toMatchObject([{ type: 'tool_result', tool_use_id: 'c' }]);
  });
});

describe('a run whose store fails midway', () => {
  const failed = async (failure: () => Error) => {
    const store = failingAfter(1, failure);
    const fixture = await agentFixture({ store, steps: [{ toolCalls: [{ name: 'poke' }] }] });
    const { agent, registry } = fixture;
    registry.register(defineTool({ name: 'poke', description: 'Poke', execute: () => 'ok' }));
    const run = await agent.start({ message: 'go' });
    const events = await allOf(run.events());
    return { result: await run.finished, events };
  };

  it('says that the store is away, once, and not where it is', async () => {
    const away = () => new SessionStoreError('store_unavailable', 'db.internal refused (28P01).');
    const { result, events } = await failed(away);
    const message = 'The conversations are unavailable. Try again in a moment.';
    expect(result).toMatchObject({
      status: 'failed',
      error: { code: 'store_unavailable', message, httpStatus: 503, retryAfterMs: 5_000 },
    });
    expect(events.filter(({ type }) => type === 'error')).toEqual([
      expect.objectContaining({ code: 'store_unavailable', message }),
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', status: 'failed' });
  });

  it('says that the store is away where it was stopped in the middle of a call', async () => {
    const away = () => new SessionStoreError('store_unavailable', 'db.internal refused (28P01).');
    // The answer with its call and the start of the call are stored.
    const fixture = await agentFixture({
      store: failingAfter(2, away),
      steps: [{ toolCalls: [{ name: 'poke' }] }],
    });
    const poking = new Barrier();
    const poke = { name: 'poke', description: 'Poke', execute: () => poking.pass() };
    fixture.registry.register(defineTool(poke));
    const run = await fixture.agent.start({ message: 'go' });
    await poking.reached;
    run.cancel();
    expect((await run.finished).error).toMatchObject({ code: 'store_unavailable' });
  });

  it('says that another process has the session now, by 503 as on every other way', async () => {
    const { result } = await failed(() => new LeaseLostError());
    expect(result.error).toMatchObject({ code: 'lease_lost', httpStatus: 503 });
  });

  it('says that its session was removed, by 404 as on every other way', async () => {
    const fixture = await agentFixture({ steps: [{ toolCalls: [{ name: 'leave' }] }] });
    const { agent, registry, store } = fixture;
    const execute = (_input: unknown, { sessionId = '' }: ToolContext) => store.delete(sessionId);
    registry.register(defineTool({ name: 'leave', description: 'Leave', readOnly: true, execute }));
    const { error } = await agent.chat({ message: 'go' });
    expect(error).toMatchObject({ code: 'session_not_found', httpStatus: 404 });
  });
});
