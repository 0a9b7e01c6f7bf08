import { NO_USAGE } from '../../message';
import { type RecordedEntry, sessionStateOf, type SessionEntry } from '../../session';
import { written } from './run-journal';
import { RunEmitter } from './run-emitter';

const runId = 'run_1';
const TEXT_LENGTH = 200_000;

describe('an entry of a run', () => {
  it('may have more events than a call takes arguments', () => {
    const started: RecordedEntry = {
      v: 1,
      seq: 1,
      type: 'run.started',
      runId,
      modelName: 'scripted',
      startedAt: '2026-01-01T00:00:00.000Z',
    };
    const text = { type: 'text', text: 'x'.repeat(TEXT_LENGTH) } as const;
    const step: SessionEntry = {
      type: 'step.finished',
      runId,
      step: 1,
      message: { role: 'assistant', content: [text] },
      // Each of one character.
      pieces: [{ of: 'text', lengths: 'B'.repeat(TEXT_LENGTH) }],
      usage: NO_USAGE,
      finishReason: 'end_turn',
    };
    const state = sessionStateOf([{ position: 1, entry: started }]);
    const emitter = new RunEmitter({ runId, sessionId: 'session_1', lastSeq: 1 });
    const { events } = written(state, [{ entry: step, isSilent: false }], emitter);
    expect(events).toHaveLength(TEXT_LENGTH + 1);
  });
});
