import { HeldStore } from '../fixtures/held-store';
import { WorkerFleet } from '../fixtures/worker-fleet';
import { Barrier } from '../../testing';
import { memoryStore } from '../../session';

const ALICE = { principal: 'alice' };
const BURN = { toolCalls: [{ name: 'burn' }] };

describe('a stop of a run that waits for its caller, while another process holds its session', () => {
  let fleet: WorkerFleet;
  let held: HeldStore;
  beforeEach(() => {
    held = new HeldStore();
    fleet = new WorkerFleet(held.store);
  });
  afterEach(() => fleet.close());

  const waiting = async () => {
    const [web, other] = [await fleet.start('web'), await fleet.start('web')];
    const endless = [{ type: 'text.delta', delta: 'Burning' }, new Barrier()] as const;
    await fleet.start('worker', { steps: [BURN, endless] });
    const { runId, pendingActions } = await web.agent.chat({ message: 'go' }, ALICE);
    const answer = { callId: pendingActions[0]?.callId ?? '', type: 'approve' } as const;
    return { runId, answer, web: web.agent, other: other.agent };
  };

  it('answers as the one before it, which cancels the run', async () => {
    const { runId, web, other } = await waiting();
    const appending = (held.appending = new Barrier());
    const first = web.cancel(runId, ALICE);
    await appending.reached;
    const second = other.cancel(runId, ALICE);
    await held.refused;
    appending.open();
    expect(await first).toMatchObject({ status: 'cancelled' });
    expect(await second).toMatchObject({ status: 'cancelled' });
  });

  it('cancels the run that an approval lets go on', async () => {
    const { runId, answer, web, other } = await waiting();
    const appending = (held.appending = new Barrier());
    const approved = web.resume(runId, [answer], ALICE);
    await appending.reached;
    const stopped = other.cancel(runId, ALICE);
    await held.refused;
    appending.open();
    await approved;
    expect(await stopped).toMatchObject({ status: 'cancelled' });
  });
});

it('a stop ends where the reads of a store stay behind its writes', async () => {
  const store = memoryStore();
  const fleet = new WorkerFleet(store);
  const web = await fleet.start('web');
  await fleet.start('worker', { steps: [BURN] });
  const { runId, sessionId } = await web.agent.chat({ message: 'go' }, ALICE);
  const [run, record, entries] = [
    await store.findByRun(runId),
    await store.find(sessionId),
    await store.read(sessionId),
  ];
  const { findByRun, find, read } = store;
  Object.assign(store, {
    findByRun: () => Promise.resolve(run),
    find: () => Promise.resolve(record),
    read: (_id: string, from = 1) => Promise.resolve(entries.slice(from - 1)),
  });
  await expect(web.agent.cancel(runId, ALICE)).rejects.toMatchObject({ code: 'session_busy' });
  Object.assign(store, { findByRun, find, read });
  expect(await web.agent.run(runId, ALICE)).toMatchObject({ status: 'cancelled' });
  await fleet.close();
});
