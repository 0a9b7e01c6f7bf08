import { leftInMemory } from '../../internal/fixtures/left-in-memory';
import { type AgentEvent, batchesOf } from '../../message';
import { memoryStore, type RecordedEntry } from '../../session';
import { Barrier } from '../../testing';
import { agentFixture } from '../fixtures/agent-fixture';

const ALICE = { principal: 'alice' };
const READERS = 300;
/** More than one read of the store returns. */
const NOTICES = 600;
/** Milliseconds between two reads of a run that is not on the bus. */
const LOOK_MS = 1_000;

/** A finished run, and readers of it that each have taken its first events. */
async function slowReaders() {
  const store = memoryStore();
  const reads = jest.spyOn(store, 'read');
  const { agent } = await agentFixture({ store, steps: ['Good day.'] });
  const { runId } = await agent.chat({ message: 'Hello' }, ALICE);
  const open = async (after = 0) => {
    const events = await agent.events(runId, { ...ALICE, after });
    return batchesOf(events)[Symbol.asyncIterator]();
  };
  reads.mockClear();
  const readers = await Promise.all(Array.from({ length: READERS }, () => open()));
  const first = await Promise.all(readers.map(next));
  return { agent, store, runId, open, reads, readers, first };
}

/** A run that another process has begun, with entries on demand. */
async function runElsewhere() {
  const store = memoryStore();
  const { agent } = await agentFixture({ store });
  const runId = 'run_1';
  const { id } = await store.create({ id: 'session_1', owner: ALICE.principal });
  const lease = await store.acquire(id, 60_000);
  if (!lease) throw new Error('The new session is held.');
  let expectedVersion = 0;
  const append = async (...entries: readonly RecordedEntry[]) => {
    ({ version: expectedVersion } = await store.append(id, { lease, expectedVersion, entries }));
  };
  const startedAt = '2026-01-01T00:00:00.000Z';
  await append({ v: 1, seq: 1, type: 'run.started', runId, modelName: 'scripted', startedAt });
  const notice = (count: number) =>
    append(
      ...Array.from({ length: count }, (_, index): RecordedEntry => {
        const seq = expectedVersion + index + 1;
        return { v: 1, seq, type: 'noticed', runId, code: 'told', message: `${seq}` };
      }),
    );
  return { agent, store, runId, notice };
}

async function next(reader: AsyncIterator<readonly AgentEvent[]>): Promise<readonly AgentEvent[]> {
  const { done, value } = await reader.next();
  return done === true ? [] : value;
}

describe('slow readers of a run that is over', () => {
  it('read it once, and hold the same events', async () => {
    const { reads, readers, first, open } = await slowReaders();
    expect(reads).toHaveBeenCalledTimes(1);
    const [told = []] = first;
    expect(told.at(-1)).toMatchObject({ type: 'run.finished', status: 'completed' });
    const events = new Set(first.flat());
    expect(events.size).toBe(told.length);
    expect(await Promise.all(readers.map(next))).toEqual(readers.map(() => []));
    expect(await next(await open(told[1]?.seq))).toEqual(told.slice(2));
  });

  it('leave nothing in memory once all have left', async () => {
    const events = await (async () => {
      const { readers, first } = await slowReaders();
      for (const reader of readers) await reader.return?.();
      return first.flat().map((event) => new WeakRef(event));
    })();
    expect(await leftInMemory(events)).toEqual([]);
  });
});

it('a failure in the middle of a long run leaves no gap for the next reader', async () => {
  const { agent, store, runId, notice } = await runElsewhere();
  await notice(NOTICES);
  const first = batchesOf(await agent.events(runId, { ...ALICE, after: NOTICES }));
  const slow = first[Symbol.asyncIterator]();
  await next(slow);
  const read = store.read.bind(store);
  const isFirst = (from?: number): boolean => from === 1;
  const failing = jest.spyOn(store, 'read').mockImplementation((session, from, page) => {
    return isFirst(from) ? read(session, from, page) : Promise.reject(new Error('away'));
  });
  await expect(agent.events(runId, ALICE)).rejects.toThrow('away');
  failing.mockRestore();
  const reader = batchesOf(await agent.events(runId, ALICE))[Symbol.asyncIterator]();
  const seqs = Array.from({ length: NOTICES + 1 }, (_, index) => index + 1);
  expect((await next(reader)).map(({ seq }) => seq)).toEqual(seqs);
});

it('readers of a run at another process do not wait for each other', async () => {
  const { agent, store, runId, notice } = await runElsewhere();
  const open = async () => {
    return batchesOf(await agent.events(runId, ALICE))[Symbol.asyncIterator]();
  };
  const readers = await Promise.all(Array.from({ length: READERS }, open));
  await Promise.all(readers.map(next));
  await notice(1);
  const barrier = new Barrier();
  const find = store.find.bind(store);
  const finds = jest.spyOn(store, 'find').mockImplementation(async (session) => {
    await barrier.pass();
    return find(session);
  });
  jest.useFakeTimers();
  const heard = Promise.all(readers.map(next));
  await jest.advanceTimersByTimeAsync(LOOK_MS);
  jest.useRealTimers();
  barrier.open();
  const seqs = (await heard).map((events) => events.map(({ seq }) => seq));
  expect(seqs).toEqual(readers.map(() => [2]));
  // One that began before the others asked, and one for them all.
  expect(finds).toHaveBeenCalledTimes(2);
});
