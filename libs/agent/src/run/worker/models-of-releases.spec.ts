import { setTimeout as delay } from 'node:timers/promises';
import { ScriptedModel, type ScriptedStep } from '../../testing';
import { WorkerFleet } from '../fixtures/worker-fleet';

const ALICE = { principal: 'alice' };
const GO = { message: 'go', model: 'fresh' };
const BURN = { toolCalls: [{ name: 'burn' }] };

describe('a run whose model only the next release has', () => {
  let fleet: WorkerFleet;
  beforeEach(() => (fleet = new WorkerFleet()));
  afterEach(() => fleet.close());

  const knowing = (...steps: readonly ScriptedStep[]) => ({
    models: { fresh: new ScriptedModel(steps) },
  });
  const delivered = async (runId: string): Promise<void> => {
    while (!fleet.queue.delivered.some((job) => job.runId === runId)) await delay(5);
  };

  it('is left to a worker of that release', async () => {
    const web = await fleet.start('web', knowing());
    const old = await fleet.start('worker');
    const run = await web.agent.start(GO, ALICE);
    await delivered(run.runId);
    await old.app.close();
    await fleet.start('worker', knowing({ text: 'Fresh.' }));
    expect(await run.finished).toMatchObject({ status: 'completed', message: 'Fresh.' });
  });

  it('is left to it with the calls that were approved', async () => {
    const web = await fleet.start('web', knowing());
    const next = await fleet.start('worker', knowing(BURN));
    const { runId, pendingActions } = await web.agent.chat(GO, ALICE);
    await next.app.close();
    const old = await fleet.start('worker');
    fleet.queue.delivered.length = 0;
    const actions = pendingActions.map(({ callId }) => ({ callId, type: 'approve' as const }));
    const run = await web.agent.resume(runId, actions, ALICE);
    await delivered(runId);
    await old.app.close();
    await fleet.start('worker', knowing({ text: 'Burnt.' }));
    expect(await run.finished).toMatchObject({ status: 'completed', message: 'Burnt.' });
    expect(fleet.world.writes).toBe(1);
  });
});
