import { Barrier } from '../../testing';
import { HeldStore } from '../fixtures/held-store';
import { WorkerFleet } from '../fixtures/worker-fleet';
import { ActionConflictError } from '../request';

const ALICE = { principal: 'alice' };
const BOTH = { toolCalls: [{ name: 'burn' }, { name: 'burn' }] };

describe('two answers to a waiting run at the same moment, at two processes', () => {
  let fleet: WorkerFleet;
  let held: HeldStore;
  beforeEach(() => {
    held = new HeldStore();
    fleet = new WorkerFleet(held.store);
  });
  afterEach(() => fleet.close());

  const waiting = async () => {
    const [one, other] = [await fleet.start('web'), await fleet.start('web')];
    await fleet.start('worker', { steps: [BOTH, { text: 'Both are burnt.' }] });
    const { runId, pendingActions } = await one.agent.chat({ message: 'go' }, ALICE);
    const answers = pendingActions.map(({ callId }) => ({ callId, type: 'approve' }) as const);
    return { runId, answers, one: one.agent, other: other.agent };
  };

  it('are both taken: the second waits until the first is stored', async () => {
    const { runId, answers, one, other } = await waiting();
    const appending = (held.appending = new Barrier());
    const first = one.resume(runId, answers.slice(0, 1), ALICE);
    await appending.reached;
    const second = other.resume(runId, answers.slice(1), ALICE);
    await held.refused;
    appending.open();
    expect(await (await first).finished).toMatchObject({ status: 'requires_action' });
    expect(await (await second).finished).toMatchObject({
      status: 'completed',
      message: 'Both are burnt.',
    });
    expect(fleet.world.writes).toBe(2);
  });

  it('do not count as runs of their own, at one process', async () => {
    const web = await fleet.start('web', { limits: { runsPerPrincipal: 1 } });
    await fleet.start('worker', { steps: [BOTH, { text: 'Both are burnt.' }] });
    const { runId, pendingActions } = await web.agent.chat({ message: 'go' }, ALICE);
    const handles = await Promise.all(
      pendingActions.map(({ callId }) =>
        web.agent.resume(runId, [{ callId, type: 'approve' }], ALICE),
      ),
    );
    const results = await Promise.all(handles.map(({ finished }) => finished));
    expect(results.map(({ status }) => status).sort()).toEqual(['completed', 'requires_action']);
    expect(fleet.world.writes).toBe(2);
  });

  it('are a conflict where both are for the same calls', async () => {
    const { runId, answers, one, other } = await waiting();
    const appending = (held.appending = new Barrier());
    const first = one.resume(runId, answers, ALICE);
    await appending.reached;
    const second = other.resume(runId, answers, ALICE);
    await held.refused;
    appending.open();
    await expect(second).rejects.toThrow(ActionConflictError);
    expect(await (await first).finished).toMatchObject({ status: 'completed' });
    expect(fleet.world.writes).toBe(2);
  });
});
