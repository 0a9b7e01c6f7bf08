import { NO_USAGE, textMessage } from '../../message';
import { EMPTY_SESSION, type SessionEntry } from '../../session';
import { advance, phaseOf, RUN_TRANSITIONS, type RunPhase } from './run-phase';

const runId = 'run_1';
const use = { type: 'tool_use', id: 'c1', name: 'write', input: {} } as const;
const startedAt = '2026-01-01T00:00:00Z';
const started: SessionEntry = { type: 'run.started', runId, modelName: 'test', startedAt };
const asks: SessionEntry = {
  type: 'step.finished',
  runId,
  step: 1,
  message: { role: 'assistant', content: [use] },
  usage: NO_USAGE,
  finishReason: 'tool_use',
};
const required: SessionEntry = {
  type: 'action.required',
  runId,
  action: { type: 'approval', callId: 'c1', name: 'write', input: {}, expiresAt: '2027-01-01' },
};
const parked: SessionEntry = { type: 'run.parked', runId };
const settled: SessionEntry = {
  type: 'call.settled',
  runId,
  result: { type: 'tool_result', tool_use_id: 'c1', content: 'ok', is_error: false },
  durationMs: 1,
  outcome: 'ok',
};
const finished: SessionEntry = {
  type: 'run.finished',
  runId,
  status: 'completed',
  stopReason: 'end_turn',
  message: '',
  usage: NO_USAGE,
};

const after = (...entries: SessionEntry[]) => advance(EMPTY_SESSION, entries);

describe('the phases of a run', () => {
  it.each<[RunPhase, SessionEntry[]]>([
    ['idle', []],
    ['thinking', [started]],
    ['thinking', [started, { type: 'message', runId, message: textMessage('user', 'hi') }]],
    ['acting', [started, asks]],
    ['thinking', [started, asks, settled]],
    ['waiting', [started, asks, required, parked]],
    ['waiting', [started, asks, required, parked, parked]],
    ['acting', [started, asks, required, parked, { type: 'run.resumed', runId }]],
    ['idle', [started, asks, settled, finished]],
  ])('%s', (phase, entries) => {
    expect(phaseOf(after(...entries))).toBe(phase);
  });

  it.each<[string, SessionEntry[]]>([
    ['a second run beside the first', [started, started]],
    ['an end with calls that have no result', [started, asks, finished]],
    ['a wait without a call', [started, parked]],
    ['another answer while calls are open', [started, asks, asks]],
    ['a result in an idle session', [settled]],
    ['a step of a run that waits', [started, asks, required, parked, asks]],
  ])('refuse %s', (_what, entries) => {
    expect(() => after(...entries)).toThrow(
      expect.objectContaining({ code: 'invalid_transition' }),
    );
  });

  it('can all be left', () => {
    for (const transitions of Object.values(RUN_TRANSITIONS)) {
      expect(Object.values(transitions).flat().length).toBeGreaterThan(0);
    }
  });
});
