import { NO_USAGE, type AgentEvent, type AgentEventBody, type PendingAction } from '../../message';
import { callsIn, eventsSoFar, isOnlyEnd, partsOfRun } from './run-parts';

const ASKED: PendingAction = {
  type: 'approval',
  callId: 'call_1',
  name: 'remove_file',
  input: {},
  expiresAt: '2026-01-01T00:00:00.000Z',
};

function end(status: 'requires_action' | 'completed' | 'cancelled', waits: PendingAction[] = []) {
  const stopReason = status === 'completed' ? 'end_turn' : status;
  const body = { type: 'run.finished', status, stopReason, message: '' } as const;
  return { ...body, usage: NO_USAGE, pendingActions: waits } satisfies AgentEventBody;
}

function numbered(...bodies: readonly AgentEventBody[]): readonly AgentEvent[] {
  return bodies.map((body, index) => ({ ...body, runId: 'run_1', seq: index + 1 }));
}

const step: AgentEventBody = { type: 'step.started', step: 1 };

describe('the parts of a run', () => {
  it('end where it waits, and where it is over', () => {
    const events = numbered(step, end('requires_action', [ASKED]), step, end('completed'));
    const parts = partsOfRun(events, false);
    expect(parts.map(({ after, events: own }) => [after, own.length])).toEqual([
      [0, 2],
      [2, 2],
    ]);
    expect(callsIn(parts)).toEqual({ asked: [ASKED], delegating: [] });
    expect(parts.map(isOnlyEnd)).toEqual([false, false]);
  });

  it('include the one that goes on, though nothing of it is told', () => {
    const events = numbered(step, end('requires_action'));
    expect(partsOfRun(events, true).map(({ after }) => after)).toEqual([0, 2]);
    expect(partsOfRun(events, false).map(({ after }) => after)).toEqual([0]);
  });

  it('are no more for being cancelled while it waits', () => {
    const events = numbered(step, end('requires_action'), end('cancelled'));
    expect(partsOfRun(events, false).map(isOnlyEnd)).toEqual([false, true]);
  });

  it('are read as far as they are there, and the reader leaves', async () => {
    const told = numbered(step, step);
    let hasLeft = false;
    async function* endless(): AsyncGenerator<AgentEvent> {
      yield* told;
      await new Promise(() => undefined);
    }
    expect(await eventsSoFar(endless(), () => (hasLeft = true))).toEqual(told);
    expect(hasLeft).toBe(true);
  });
});
