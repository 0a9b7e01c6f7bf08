import type { ContentBlock, RunStatus } from '../../message';
import type { TranscriptMessage } from '../../session';
import { historyOf } from './history';

const call = (id: string): ContentBlock => ({ type: 'tool_use', id, name: 'write', input: {} });

const TRANSCRIPT: readonly TranscriptMessage[] = [
  { id: 'u1', role: 'user', content: [{ type: 'text', text: 'Write twice' }], runId: 'run_1' },
  { id: '2', role: 'assistant', content: [call('c1'), call('c2')], runId: 'run_1' },
  {
    id: '3',
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'written', is_error: false }],
    runId: 'run_1',
  },
];

function resultsIn(status: RunStatus, runId = 'run_1'): readonly unknown[] {
  const run = { runId, status, pendingActions: [] };
  return historyOf(TRANSCRIPT, { run, sendReasoning: true }).flatMap((message) =>
    message.role === 'tool' ? [[message.id, message.toolCallId, message.metadata]] : [],
  );
}

const WRITTEN = ['c1:result', 'c1', { isError: false }];

describe('historyOf', () => {
  it('gives a call a result that was cut off with its process', () => {
    const cutOff = ['c2:result', 'c2', { isError: true, outcome: 'interrupted' }];
    expect(resultsIn('failed')).toEqual([cutOff, WRITTEN]);
  });

  it.each(['running', 'queued', 'requires_action'] as const)(
    'leaves a call open in a run that is %s',
    (status) => expect(resultsIn(status)).toEqual([WRITTEN]),
  );

  it('leaves the call of an earlier run to the one that has begun since', () => {
    expect(resultsIn('completed', 'run_2')).toEqual([WRITTEN]);
  });
});
