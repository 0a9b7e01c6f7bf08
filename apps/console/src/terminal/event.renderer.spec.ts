import type { AgentEvent } from 'nestjs-agent';

/** An event without the numbers of its run. */
type Unnumbered<Event> = Event extends AgentEvent ? Omit<Event, 'runId' | 'seq'> : never;
type EventBody = Unnumbered<AgentEvent>;
import { EventRenderer } from './event.renderer';
import { paletteFor } from './palette';

function rendered(...events: readonly EventBody[]): string {
  let output = '';
  const renderer = new EventRenderer((text) => (output += text), paletteFor({}));
  events.forEach((event, index) => renderer.render({ ...event, runId: 'run-1', seq: index + 1 }));
  return output;
}

const finished = (status: 'completed' | 'cancelled'): EventBody => ({
  type: 'run.finished',
  status,
  stopReason: status === 'completed' ? 'end_turn' : 'cancelled',
  message: '',
  usage: {
    inputTokens: 0,
    outputTokens: 0,
    totalTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  },
  pendingActions: [],
});

describe('EventRenderer', () => {
  it('streams text as it comes and ends the line with the run', () => {
    expect(
      rendered(
        { type: 'text.delta', delta: 'You have ' },
        { type: 'text.delta', delta: 'two.' },
        finished('completed'),
      ),
    ).toBe('You have two.\n');
  });

  it('says of which agent a text and a call are', () => {
    const archive = { agent: 'archive', parentCallId: 'a' };
    const burn = { callId: 'c', name: 'burn', ...archive };
    expect(
      rendered(
        { type: 'text.delta', delta: 'I ask.' },
        { type: 'agent.text.delta', delta: 'Look', ...archive },
        { type: 'agent.text.delta', delta: 'ing.', ...archive },
        { type: 'tool.call', kind: 'provider', input: {}, awaits: 'approval', ...burn },
        { type: 'approval.required', input: {}, reason: 'It burns.', expiresAt: '', ...burn },
        {
          type: 'tool.result',
          output: 'Burnt.',
          isError: false,
          durationMs: 1,
          outcome: 'ok',
          ...burn,
        },
        { type: 'text.delta', delta: 'Done.' },
        finished('completed'),
      ).split('\n'),
    ).toEqual([
      'I ask.',
      'archive: Looking.',
      '→ archive: burn {}',
      '? archive: burn waits for approval: It burns.',
      '✓ archive: burn (1 ms)',
      'Done.',
      '',
    ]);
  });

  it('puts tool activity on lines of its own', () => {
    expect(
      rendered(
        { type: 'text.delta', delta: 'Let me see.' },
        {
          type: 'tool.call',
          callId: 'c',
          name: 'get_workflow',
          kind: 'provider',
          input: { id: 7 },
        },
        { type: 'tool.progress', callId: 'c', data: { done: 1 } },
        {
          type: 'tool.result',
          callId: 'c',
          name: 'get_workflow',
          output: 'There is no workflow 7.',
          isError: true,
          durationMs: 1,
          outcome: 'error',
        },
        { type: 'text.delta', delta: 'No.\n' },
        finished('completed'),
      ),
    ).toBe(
      [
        'Let me see.',
        '→ get_workflow {"id":7}',
        '  · {"done":1}',
        '✗ get_workflow: There is no workflow 7.',
        'No.',
        '',
      ].join('\n'),
    );
  });

  it('says how long a tool took, and shows no more of its result', () => {
    expect(
      rendered({
        type: 'tool.result',
        callId: 'c',
        name: 'add',
        output: '42',
        isError: false,
        durationMs: 13,
        outcome: 'ok',
      }),
    ).toBe('✓ add (13 ms)\n');
  });

  it('says that a run was cancelled, or what went wrong', () => {
    expect(rendered({ type: 'text.delta', delta: 'Once' }, finished('cancelled'))).toBe(
      'Once\n(cancelled)\n',
    );
    expect(rendered({ type: 'error', code: 'model_unavailable', message: 'No answer.' })).toBe(
      'model_unavailable: No answer.\n',
    );
  });

  it('keeps escape sequences of models and tools from the terminal', () => {
    expect(rendered({ type: 'text.delta', delta: 'a\u001b[2Jb\u0007\tc\n' })).toBe('a[2Jb\tc\n');
  });

  it('keeps them from the terminal in the name of a tool that there is none of', () => {
    const call = { callId: 'c', name: 'add\u001b[2J' } as const;
    const output = rendered(
      { ...call, type: 'tool.call', kind: 'function', input: {} },
      {
        ...call,
        type: 'tool.result',
        output: 'There is none.',
        isError: true,
        durationMs: 0,
        outcome: 'error',
      },
    );
    expect(output).toBe('→ add[2J {}\n✗ add[2J: There is none.\n');
  });

  it('shows what stands beside an answer', () => {
    expect(
      rendered(
        { type: 'notice', code: 'attachment_not_seen', message: 'It cannot see.' },
        { type: 'provider.tool', callId: 'p', name: 'web_search' },
        { type: 'source', url: 'https://example.com', title: 'Example' },
      ),
    ).toBe('(It cannot see.)\n→ web_search (run by the provider)\n  Example https://example.com\n');
  });
});
