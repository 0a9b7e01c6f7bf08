import { lastValueFrom, toArray } from 'rxjs';
import { SessionStoreError, type SessionStore } from '../../session';
import { WorkerFleet } from '../fixtures/worker-fleet';

const ALICE = { principal: 'alice' };
const BURN = { toolCalls: [{ name: 'burn' }] };

/** Resolves after all pending microtasks and immediates. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('the request of a queued run that waits for its caller', () => {
  let fleet: WorkerFleet;
  beforeEach(() => (fleet = new WorkerFleet()));
  afterEach(() => fleet.close());

  const started = async () => {
    const web = await fleet.start('web');
    await fleet.start('worker', { steps: [BURN, 'Burnt.'] });
    const statusOf = async (runId: string) => {
      for (let turns = 0; turns < 50; turns += 1) await turn();
      return (await web.agent.run(runId, ALICE)).status;
    };
    return { agent: web.agent, statusOf };
  };

  it('may end its stream: the run waits on', async () => {
    const { agent, statusOf } = await started();
    const told = await lastValueFrom(agent.stream({ message: 'go' }, ALICE).pipe(toArray()));
    expect(told.at(-1)).toMatchObject({ type: 'run.finished', status: 'requires_action' });
    expect(await statusOf(told[0]?.runId ?? '')).toBe('requires_action');
  });

  it('is no longer listened to', async () => {
    const { agent, statusOf } = await started();
    const gone = new AbortController();
    const removed = jest.spyOn(gone.signal, 'removeEventListener');
    const { runId } = await agent.chat({ message: 'go' }, { ...ALICE, signal: gone.signal });
    expect(removed).toHaveBeenCalledWith('abort', expect.any(Function));
    gone.abort();
    expect(await statusOf(runId)).toBe('requires_action');
  });

  it('does not cancel what goes on for the next one', async () => {
    const { agent, statusOf } = await started();
    const run = await agent.start({ message: 'go' }, ALICE);
    const { runId, pendingActions } = await run.finished;
    const answer = { callId: pendingActions[0]?.callId ?? '', type: 'approve' } as const;
    const next = await agent.resume(runId, [answer], ALICE);
    run.cancel();
    expect(await next.finished).toMatchObject({ status: 'completed', message: 'Burnt.' });
    expect(await statusOf(runId)).toBe('completed');
  });
});

describe('the request of a queued run whose store is unavailable', () => {
  let fleet: WorkerFleet;
  beforeEach(() => (fleet = new WorkerFleet()));
  afterEach(() => fleet.close());

  /** The run's reads fail as often as `failures` says. */
  const failing = (store: SessionStore, failures: number): SessionStore => {
    let left = failures;
    return Object.assign(Object.create(store) as SessionStore, {
      findByRun: (runId: string) => {
        if ((left -= 1) < 0) return store.findByRun(runId);
        return Promise.reject(new SessionStoreError('store_unavailable', 'It is away.'));
      },
    });
  };

  it('reads on when it is back', async () => {
    const web = await fleet.start('web', { store: failing(fleet.store, 2) });
    await fleet.start('worker', { steps: ['Done.'] });
    const events = await lastValueFrom(web.agent.stream({ message: 'go' }, ALICE).pipe(toArray()));
    expect(events.at(0)).toMatchObject({ type: 'run.started', seq: 1 });
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', status: 'completed' });
  });

  it('gets the result when it is back', async () => {
    const web = await fleet.start('web', { store: failing(fleet.store, 2) });
    await fleet.start('worker', { steps: ['Done.'] });
    const result = await web.agent.chat({ message: 'go' }, ALICE);
    expect(result).toMatchObject({ status: 'completed', message: 'Done.' });
  });

  it('fails if it is away for 8 s', async () => {
    const web = await fleet.start('web', { store: failing(fleet.store, Infinity) });
    jest.useFakeTimers();
    try {
      const run = await web.agent.start({ message: 'go' }, ALICE);
      const reading = run.events()[Symbol.asyncIterator]().next();
      let failure: unknown;
      reading.catch((error: unknown) => (failure = error));
      await jest.advanceTimersByTimeAsync(7_900);
      expect(failure).toBeUndefined();
      await jest.advanceTimersByTimeAsync(200);
      expect(failure).toMatchObject({ code: 'store_unavailable' });
    } finally {
      jest.useRealTimers();
    }
  });
});
