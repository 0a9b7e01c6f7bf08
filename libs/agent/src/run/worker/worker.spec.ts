import { setTimeout as delay } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import type { AgentEvent } from '../../message';
import { defineTool, ToolRegistry } from '../../registry';
import { memoryStore, type RecordedEntry, type SessionStore } from '../../session';
import { sqlStore } from '../../sql';
import { newDatabase } from '../../../../../test/support/new-database';
import { Barrier } from '../../testing';
import { allOf } from '../fixtures/all-of';
import { WorkerFleet, type FleetProcess } from '../fixtures/worker-fleet';
import { WorkerProcess } from './worker.process';

const ALICE = { principal: 'alice' };
const LOOKING = { text: 'First I look.', toolCalls: [{ name: 'look' }, { name: 'write' }] };

const sweep = ({ app }: FleetProcess): Promise<void> => app.get(WorkerProcess).sweep();

let database: PGlite;
beforeAll(async () => {
  database = await newDatabase();
});
afterAll(() => database.close());

describe.each<[string, () => SessionStore]>([
  ['memory', memoryStore],
  ['PostgreSQL', () => sqlStore({ client: database })],
])('runs that a worker executes, over %s', (_name, newStore) => {
  let store: SessionStore;
  let fleet: WorkerFleet;
  beforeAll(() => {
    store = newStore();
  });
  beforeEach(async () => {
    await store.deleteAll();
    fleet = new WorkerFleet(store);
  });
  afterEach(() => fleet.close());
  afterAll(() => store.close?.());

  const waiting = () => fleet.store.queuedRuns?.({ limit: 9 });

  it('are accepted by one process, executed by another, and told by both', async () => {
    const web = await fleet.start('web');
    const worker = await fleet.start('worker', { steps: [LOOKING, 'Done.'] });
    const run = await web.agent.start({ message: 'go' }, ALICE);
    const told = await allOf(run.events());
    expect(await run.finished).toMatchObject({ status: 'completed', message: 'Done.' });
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_event, index) => index + 1));
    expect(told.at(0)).toMatchObject({ type: 'run.started' });
    expect(told.at(-1)).toMatchObject({ type: 'run.finished', status: 'completed' });
    expect(await allOf(await worker.agent.events(run.runId, ALICE))).toEqual(told);
    expect(fleet.world).toEqual({ looks: 1, writes: 1, puts: 0 });
    expect(web.model.requests).toEqual([]);
    expect(await waiting()).toEqual([]);
    expect(fleet.queue.jobs).toEqual([]);
  });

  it('wait as queued, keep their session busy, and can be cancelled', async () => {
    const web = await fleet.start('web');
    const { sessionId, runId, finished } = await web.agent.start({ message: 'go' }, ALICE);
    expect(await web.agent.run(runId, ALICE)).toMatchObject({ status: 'queued' });
    const busy = web.agent.chat({ message: 'more', sessionId }, ALICE);
    await expect(busy).rejects.toMatchObject({ code: 'session_busy' });
    await expect(web.agent.cancel(runId, { principal: 'bob' })).rejects.toMatchObject({
      code: 'run_not_found',
    });
    expect(await web.agent.cancel(runId, ALICE)).toMatchObject({ status: 'cancelled' });
    expect(await finished).toMatchObject({ status: 'cancelled' });
    expect(fleet.queue.jobs).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  it('end without a message if they are cancelled before their first step', async () => {
    const web = await fleet.start('web');
    const worker = await fleet.start('worker', { steps: ['The answer of an earlier run.'] });
    const { sessionId } = await web.agent.chat({ message: 'go' }, ALICE);
    await worker.app.close();
    const { runId } = await web.agent.start({ message: 'more', sessionId }, ALICE);
    const cancelled = await web.agent.cancel(runId, ALICE);
    expect(cancelled).toMatchObject({ status: 'cancelled', message: '' });
  });

  it('belong to anonymous callers as well, who name their session', async () => {
    const web = await fleet.start('web');
    await fleet.start('worker', { steps: ['Hi', 'Again.'] });
    const { runId, sessionId, status } = await web.agent.chat({ message: 'go' });
    expect(status).toBe('completed');
    await expect(web.agent.run(runId)).rejects.toMatchObject({ code: 'run_not_found' });
    expect(await web.agent.chat({ message: 'go', sessionId })).toMatchObject({ message: 'Again.' });
  });

  it('are cancelled while they run, by the client that left', async () => {
    const web = await fleet.start('web');
    await fleet.start('worker', { steps: [[{ type: 'text.delta', delta: 'Hel' }, new Barrier()]] });
    const gone = new AbortController();
    const run = await web.agent.start({ message: 'go' }, { ...ALICE, signal: gone.signal });
    for await (const event of run.events()) if (event.type === 'text.delta') break;
    gone.abort();
    expect(await run.finished).toMatchObject({ status: 'cancelled' });
    expect(await waiting()).toEqual([]);
  });

  it('go on in a worker after approvals, and store no claim while they wait', async () => {
    const web = await fleet.start('web');
    await fleet.start('worker', { steps: [{ toolCalls: [{ name: 'burn' }] }, 'Burnt.'] });
    const asked = await web.agent.chat({ message: 'go' }, ALICE);
    expect(asked).toMatchObject({ status: 'requires_action' });
    expect([await waiting(), fleet.queue.jobs]).toEqual([[], []]);
    const answer = { callId: asked.pendingActions[0]?.callId ?? '', type: 'approve' } as const;
    const twice = await Promise.allSettled([
      web.agent.resolve(asked.runId, [answer], ALICE),
      web.agent.resolve(asked.runId, [answer], ALICE),
    ]);
    const done = twice.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(done).toEqual([expect.objectContaining({ status: 'completed', message: 'Burnt.' })]);
    expect(fleet.world.writes).toBe(1);
    expect(fleet.queue.delivered.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it('ask again in a worker of a release whose tool is another one', async () => {
    const use = { toolCalls: [{ name: 'burn' }] };
    const web = await fleet.start('web');
    const first = await fleet.start('worker', { steps: [use] });
    const asked = await web.agent.chat({ message: 'go' }, ALICE);
    await first.app.close();
    const second = await fleet.start('worker', { steps: [use] });
    const execute = jest.fn();
    const other = defineTool({ name: 'burn', description: 'Burn everything', execute });
    second.app.get(ToolRegistry).replace(other);
    const answer = { callId: asked.pendingActions[0]?.callId ?? '', type: 'approve' } as const;
    const again = await web.agent.resolve(asked.runId, [answer], ALICE);
    expect(again).toMatchObject({
      status: 'requires_action',
      toolCalls: [{ isError: true, output: expect.stringContaining('has changed') as string }, {}],
    });
    expect(execute).not.toHaveBeenCalled();
  });

  it('have one effect if they are delivered twice at once', async () => {
    const web = await fleet.start('web');
    const barrier = new Barrier();
    const steps = [[barrier, { type: 'text.delta', delta: 'Hi' } as const, END]];
    await fleet.start('worker', { steps });
    const second = await fleet.start('worker', { steps: ['Never.'] });
    const run = await web.agent.start({ message: 'go' }, ALICE);
    await barrier.reached;
    fleet.queue.redeliver(run.runId);
    fleet.queue.redeliver(run.runId);
    barrier.open();
    expect(await run.finished).toMatchObject({ status: 'completed', message: 'Hi' });
    expect(second.model.requests).toEqual([]);
    while (fleet.queue.jobs.length > 0) await delay(5);
  });

  it('are added again if the queue lost them, and start at once where that is possible', async () => {
    const web = await fleet.start('web');
    const lost = await web.agent.start({ message: 'go' }, ALICE);
    fleet.queue.empty();
    fleet.queue.isAway = true;
    const unheard = await web.agent.start({ message: 'go' }, ALICE);
    expect(fleet.queue.jobs).toEqual([]);
    const both = await fleet.start('both', { steps: ['Here.', 'One.', 'Two.'] });
    expect(await both.agent.chat({ message: 'go' }, ALICE)).toMatchObject({ message: 'Here.' });
    fleet.queue.isAway = false;
    await sweep(web);
    expect([await lost.finished, await unheard.finished].map(({ status }) => status)).toEqual([
      'completed',
      'completed',
    ]);
    await sweep(web);
    expect(fleet.queue.jobs).toEqual([]);
  });

  it('fail if no worker comes in time, and are refused if too many wait', async () => {
    const limits = { queued: 2, queueTimeoutMs: 1 };
    const web = await fleet.start('web', { limits });
    const run = await web.agent.start({ message: 'go' }, ALICE);
    await web.agent.start({ message: 'go' }, { principal: 'bob' });
    const full = web.agent.start({ message: 'go' }, { principal: 'eve' });
    await expect(full).rejects.toMatchObject({ code: 'queue_full', retryAfterMs: 5_000 });
    expect(await fleet.store.count('eve')).toBe(0);
    await delay(5);
    await sweep(web);
    expect(await run.finished).toMatchObject({
      status: 'failed',
      error: { code: 'queue_timeout', httpStatus: 503 },
    });
    expect([await waiting(), fleet.queue.jobs]).toEqual([[], []]);
  });

  it('of a newer release are left to it, and hold up no others', async () => {
    const web = await fleet.start('web', { limits: { queueTimeoutMs: 1 } });
    await web.agent.start({ message: 'go' }, ALICE);
    await web.agent.start({ message: 'go' }, { principal: 'bob' });
    const [{ sessionId = '' } = {}] = (await waiting()) ?? [];
    const lease = await fleet.store.acquire(sessionId, 1_000);
    const { version = 0 } = (await fleet.store.find(sessionId)) ?? {};
    if (!lease) throw new Error('A queued run holds no session.');
    const entry = { v: 99, type: 'groups.changed', groups: [] } as unknown as RecordedEntry;
    const options = { lease, expectedVersion: version, entries: [entry], release: true };
    await fleet.store.append(sessionId, options);
    await delay(5);
    await sweep(web);
    expect(await waiting()).toMatchObject([{ sessionId }]);
  });

  it('of one user come after those of others, and count as runs of that user', async () => {
    const web = await fleet.start('web', { limits: { runsPerPrincipal: 4 } });
    for (let count = 0; count < 4; count += 1) await web.agent.start({ message: 'go' }, ALICE);
    const fifth = web.agent.start({ message: 'go' }, ALICE);
    const refusal = { code: 'too_many_runs', retryAfterMs: 5_000 };
    await expect(fifth).rejects.toMatchObject(refusal);
    const other = await web.agent.start({ message: 'go' }, { principal: 'bob' });
    await fleet.start('worker', { steps: Array<string>(5).fill('Done.'), concurrency: 1 });
    while (fleet.queue.jobs.length > 0) await delay(5);
    const places = fleet.queue.delivered.map(({ runId }) => runId);
    expect(places).toHaveLength(5);
    expect(places.indexOf(other.runId)).toBeLessThanOrEqual(1);
  });

  it('have their places if they are added again, and no flood of anonymous ones overtakes them', async () => {
    const web = await fleet.start('web');
    for (let count = 0; count < 3; count += 1) await web.agent.start({ message: 'go' });
    for (let count = 0; count < 3; count += 1) await web.agent.start({ message: 'go' }, ALICE);
    await web.agent.start({ message: 'go' }, { principal: 'bob' });
    const places = () => fleet.queue.jobs.map(({ priority }) => priority).toSorted();
    expect(places()).toEqual([0, 0, 1, 1, 1, 1, 2]);
    fleet.queue.empty();
    await sweep(web);
    expect(places()).toEqual([0, 0, 1, 1, 1, 1, 2]);
  });

  it('go back to the queue before their next step if their worker closes', async () => {
    const web = await fleet.start('web');
    const barrier = new Barrier();
    const slow = [
      barrier,
      { type: 'text.delta', delta: 'I look.' },
      ...call('look'),
      ASKS,
    ] as const;
    const worker = await fleet.start('worker', {
      steps: [[...slow]],
      shutdown: { drainMs: 5_000 },
    });
    const run = await web.agent.start({ message: 'go' }, ALICE);
    await barrier.reached;
    const closed = worker.app.close();
    barrier.open();
    await closed;
    expect(await web.agent.run(run.runId, ALICE)).toMatchObject({ status: 'queued' });
    await fleet.start('worker', { steps: ['Done.'] });
    expect(await run.finished).toMatchObject({ status: 'completed', message: 'Done.' });
    const told = await allOf(await web.agent.events(run.runId, ALICE));
    expect(told.some(({ type }) => type === 'step.discarded')).toBe(false);
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_event, index) => index + 1));
    expect(fleet.world.looks).toBe(1);
  });

  it('are broken off where that takes too long, and void what they told', async () => {
    const web = await fleet.start('web');
    const stuck = [{ type: 'text.delta', delta: 'Hel' }, new Barrier()] as const;
    const worker = await fleet.start('worker', { steps: [[...stuck]] });
    const run = await web.agent.start({ message: 'go' }, ALICE);
    const told: AgentEvent[] = [];
    for await (const event of run.events()) {
      told.push(event);
      if (event.type === 'text.delta' && event.delta === 'Hel') await worker.app.close();
      if (event.type === 'step.discarded') await fleet.start('worker', { steps: ['Hello'] });
    }
    const discarded = told.find((event) => event.type === 'step.discarded');
    expect(discarded).toMatchObject({ from: 2, to: 3, seq: 4 });
    expect(told.at(-1)).toMatchObject({ type: 'run.finished', message: 'Hello' });
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_event, index) => index + 1));
  });

  it('stay in their process with tools or instances of a call; jobs of a newer release wait', async () => {
    const web = await fleet.start('web', { steps: ['Here.'] });
    const own = defineTool({ name: 'own', description: 'Own', execute: () => 'own' });
    const here = await web.agent.chat({ message: 'go' }, { ...ALICE, tools: [own] });
    expect(here).toMatchObject({ status: 'completed', message: 'Here.' });
    const worker = await fleet.start('worker');
    const newer = { v: 2, runId: 'run_x', sessionId: here.sessionId, attempt: 1 };
    expect(await worker.app.get(WorkerProcess).work(newer)).toBe(15_000);
    expect(await worker.app.get(WorkerProcess).work({ ...newer, v: 1 })).toBeUndefined();
  });

  it('are followed no more by a process that closes, and go on', async () => {
    const web = await fleet.start('web');
    const other = await fleet.start('web');
    const barrier = new Barrier();
    await fleet.start('worker', { steps: [[barrier, { type: 'text.delta', delta: 'Hi' }, END]] });
    const run = await web.agent.start({ message: 'go' }, ALICE);
    const reading = allOf(run.events());
    const refused = expect(reading).rejects.toMatchObject({ code: 'shutting_down' });
    await barrier.reached;
    await web.app.close();
    await refused;
    barrier.open();
    const rest = await allOf(await other.agent.events(run.runId, ALICE));
    expect(rest.at(-1)).toMatchObject({ type: 'run.finished', message: 'Hi' });
  });
});

const END = { type: 'finish', reason: 'end_turn' } as const;
const ASKS = { type: 'finish', reason: 'tool_use' } as const;

function call(name: string) {
  return [{ type: 'tool_use', id: 'c1', name, input: {} } as const];
}
