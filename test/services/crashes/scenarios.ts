import type { Message } from 'nestjs-agent';
import type { RecordedEntry } from 'nestjs-agent/types';

/** The history of a session before the turn. */
export interface Scenario {
  readonly name: string;
  readonly isCompacting: boolean;
  /** The model is slow, so that partial answers are saved. */
  readonly isSlow?: boolean;
  readonly past: readonly RecordedEntry[];
  /** The first and last point at which the turn differs from one in a new session; all by default. */
  readonly own?: readonly [string, string];
}

const usage = {
  inputTokens: 10,
  outputTokens: 5,
  totalTokens: 15,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};
const startedAt = '2026-01-01T00:00:00.000Z';
const text = (role: Message['role'], words: string): Message => ({
  role,
  content: [{ type: 'text', text: words }],
});

function finishedRun(runId: string, words: string): readonly RecordedEntry[] {
  const message = text('assistant', `${words} `.repeat(600));
  const step = { step: 1, usage, finishReason: 'end_turn' } as const;
  return [
    { v: 1, seq: 1, type: 'run.started', runId, modelName: 'turn', startedAt },
    { v: 1, type: 'message', runId, message: text('user', `Tell me about ${words}`) },
    { v: 1, seq: 2, type: 'step.finished', runId, message, ...step },
    {
      v: 1,
      seq: 3,
      type: 'run.finished',
      runId,
      status: 'completed',
      stopReason: 'end_turn',
      message: words,
      usage,
    },
  ];
}

const use = (id: string, name: string) => ({ type: 'tool_use', id, name, input: {} }) as const;

/** A run whose process died while its write was under way. */
const crashedRun: readonly RecordedEntry[] = [
  { v: 1, seq: 1, type: 'run.started', runId: 'run_crashed', modelName: 'turn', startedAt },
  { v: 1, type: 'message', runId: 'run_crashed', message: text('user', 'Write it down.') },
  {
    v: 1,
    seq: 2,
    type: 'step.finished',
    runId: 'run_crashed',
    step: 1,
    message: { role: 'assistant', content: [use('look_0', 'look'), use('write_0', 'write')] },
    calls: [
      { callId: 'look_0', kind: 'function', isRepeatable: true },
      { callId: 'write_0', kind: 'function' },
    ],
    usage,
    finishReason: 'tool_use',
  },
  { v: 1, type: 'call.started', runId: 'run_crashed', callId: 'write_0' },
];

export const SCENARIOS: readonly Scenario[] = [
  { name: 'in a new session', isCompacting: false, past: [] },
  {
    name: 'while the model takes its time',
    isCompacting: false,
    isSlow: true,
    past: [],
    own: ['store append 1, after', 'store append 2, after'],
  },
  {
    name: 'while it recovers from a crash',
    isCompacting: false,
    past: crashedRun,
    own: ['store acquire 1, before', 'store append 4, after'],
  },
  {
    name: 'while a long history is compacted',
    isCompacting: true,
    past: [...finishedRun('run_old_1', 'rivers'), ...finishedRun('run_old_2', 'mountains')],
    own: ['store append 5, after', 'store append 8, after'],
  },
];
