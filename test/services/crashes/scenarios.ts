import type { Message, SessionEntry } from 'nestjs-agent';

/** What a session has behind it when the turn begins. */
export interface Scenario {
  readonly name: string;
  readonly isCompacting: boolean;
  readonly past: readonly SessionEntry[];
}

const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
const startedAt = '2026-01-01T00:00:00.000Z';
const text = (role: Message['role'], words: string): Message => ({
  role,
  content: [{ type: 'text', text: words }],
});

function finishedRun(runId: string, words: string): readonly SessionEntry[] {
  return [
    { type: 'run.started', runId, startedAt },
    { type: 'message', runId, message: text('user', `Tell me about ${words}`) },
    { type: 'message', runId, message: text('assistant', `${words} `.repeat(600)) },
    {
      type: 'run.finished',
      runId,
      status: 'completed',
      stopReason: 'end_turn',
      message: words,
      usage,
      seq: 3,
    },
  ];
}

const use = (id: string, name: string) => ({ type: 'tool_use', id, name, input: {} }) as const;

/** A run whose process died while its write was under way. */
const crashedRun: readonly SessionEntry[] = [
  { type: 'run.started', runId: 'run_crashed', startedAt },
  { type: 'message', runId: 'run_crashed', message: text('user', 'Write it down.') },
  {
    type: 'message',
    runId: 'run_crashed',
    message: { role: 'assistant', content: [use('look_0', 'look'), use('write_0', 'write')] },
  },
  { type: 'call.started', runId: 'run_crashed', callId: 'write_0' },
];

export const SCENARIOS: readonly Scenario[] = [
  { name: 'in a new session', isCompacting: false, past: [] },
  { name: 'while it recovers from a crash', isCompacting: false, past: crashedRun },
  {
    name: 'while a long history is compacted',
    isCompacting: true,
    past: [...finishedRun('run_old_1', 'rivers'), ...finishedRun('run_old_2', 'mountains')],
  },
];
