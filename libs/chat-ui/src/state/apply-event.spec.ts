import type { AgentEvent } from '../wire/protocol';
import { applyEvent } from './apply-event';
import { emptyTurn, turnsOf, withoutLastAnswer } from './turns-of-messages';

const USAGE = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };
const PENDING = {
  callId: 'c',
  name: 'review',
  type: 'external',
  input: {},
  expiresAt: '2030-01-01T00:00:00.000Z',
} as const;
const EVENTS = [
  { type: 'run.started', sessionId: 's', model: 'm' },
  { type: 'thinking.delta', delta: 'Hm' },
  { type: 'text.delta', delta: 'Let me ' },
  { type: 'text.delta', delta: 'look.' },
  { type: 'tool.input.delta', callId: 'c', name: 'find', kind: 'route', delta: '{"a"' },
  { type: 'tool.input.delta', callId: 'c', name: 'find', kind: 'route', delta: ':1}' },
  { type: 'tool.call', callId: 'c', name: 'find', kind: 'route', input: { a: 1 } },
  { type: 'tool.progress', callId: 'c', data: 50 },
  {
    type: 'tool.result',
    callId: 'c',
    name: 'find',
    output: 'found',
    isError: false,
    durationMs: 7,
    outcome: 'ok',
  },
  { type: 'text.delta', delta: 'Found.' },
  {
    type: 'run.finished',
    status: 'completed',
    stopReason: 'end_turn',
    message: 'Found.',
    usage: USAGE,
    pendingActions: [],
  },
].map((event, index) => ({ ...event, runId: 'r', seq: index + 1 })) as unknown as AgentEvent[];

const apply = (events: readonly AgentEvent[]) =>
  events.reduce((turn, event) => applyEvent(turn, event, 1_000), emptyTurn('t'));

describe('applyEvent', () => {
  it('completes an answer of which a part was told while nobody listened', () => {
    const text = { type: 'text.delta', delta: 'Fou', runId: 'r', seq: 10 } as AgentEvent;
    const finished = { ...EVENTS.at(-1), seq: 12 } as AgentEvent;

    expect(apply([...EVENTS.slice(0, 9), text, finished]).parts.at(-1)).toEqual({
      type: 'text',
      text: 'Found.',
    });
  });

  it('shows that someone else answers a call', () => {
    const call = { ...PENDING, type: 'tool.call', kind: 'review', awaits: 'external' } as const;
    const { parts } = apply([{ ...call, runId: 'r', seq: 1 }]);
    expect(parts).toMatchObject([{ callId: 'c', name: 'review', isExternal: true }]);
    expect(parts[0]).not.toHaveProperty('approval');
  });

  it('builds a turn of thoughts, text and calls, in the order they came', () => {
    expect(apply(EVENTS)).toEqual({
      role: 'agent',
      key: 't',
      runId: 'r',
      seq: EVENTS.length,
      status: 'completed',
      stopReason: 'end_turn',
      usage: USAGE,
      parts: [
        { type: 'thinking', text: 'Hm' },
        { type: 'text', text: 'Let me look.' },
        {
          type: 'tool',
          callId: 'c',
          name: 'find',
          kind: 'route',
          inputText: '{"a":1}',
          input: { a: 1 },
          progress: [50],
          output: 'found',
          outcome: 'ok',
          durationMs: 7,
          startedAt: 1_000,
        },
        { type: 'text', text: 'Found.' },
      ],
    });
  });

  it('forgets what a worker said before it stopped, and hears the step anew', () => {
    const told = [
      ...EVENTS.slice(0, 9),
      { type: 'step.started', step: 2, seq: 10 },
      { type: 'thinking.delta', delta: 'Well', seq: 11 },
      { type: 'text.delta', delta: 'Fou', seq: 12 },
      { type: 'step.discarded', from: 10, to: 1_012, seq: 1_013 },
      { type: 'step.started', step: 2, seq: 1_014 },
      { type: 'text.delta', delta: 'Found.', seq: 1_015 },
    ] as AgentEvent[];
    expect(apply(told).parts).toEqual(apply(EVENTS.slice(0, 10)).parts);
  });

  it('takes no event twice, wherever a stream is read again from', () => {
    const once = apply(EVENTS);
    for (let from = 0; from < EVENTS.length; from += 1) {
      for (let to = from; to <= EVENTS.length; to += 1) {
        const replayed = [...EVENTS.slice(0, to), ...EVENTS.slice(from)];
        expect(apply(replayed)).toEqual(once);
      }
    }
  });

  it('shows a closing message that no delta brought', () => {
    const ended = { ...EVENTS.at(-1), message: 'Too many steps.' } as AgentEvent;
    expect(apply([ended]).parts).toEqual([{ type: 'text', text: 'Too many steps.' }]);
  });

  it('puts what the provider ran before the words that it was run for', () => {
    const searched = {
      type: 'provider.tool',
      callId: 'p',
      name: 'web_search',
      output: { hits: 2 },
    };
    const events = [{ type: 'text.delta', delta: 'Two.' }, searched].map(
      (event, index) => ({ ...event, runId: 'r', seq: index + 1 }) as AgentEvent,
    );
    expect(apply(events).parts).toMatchObject([
      { type: 'tool', kind: 'provider', name: 'web_search', output: '{"hits":2}', outcome: 'ok' },
      { type: 'text', text: 'Two.' },
    ]);
  });

  it('passes by an event of a kind that it does not know', () => {
    const unknown = { type: 'later', runId: 'r', seq: 1 } as unknown as AgentEvent;
    expect(apply([unknown]).parts).toEqual([]);
  });
});

describe('turnsOf', () => {
  const messages = [
    { role: 'system', content: [{ type: 'text', text: 'prompt' }] },
    { role: 'user', content: [{ type: 'text', text: 'find it' }], runId: 'r' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 'c', name: 'find', input: { a: 1 } },
      ],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'c', content: 'no', is_error: true }],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'No.' }], partial: true, runId: 'r' },
  ] as const;

  it('joins all that the agent did about one message', () => {
    expect(turnsOf(messages)).toMatchObject([
      { role: 'user', text: 'find it', runId: 'r' },
      {
        role: 'agent',
        runId: 'r',
        status: 'cancelled',
        parts: [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool', name: 'find', input: { a: 1 }, output: 'no', outcome: 'error' },
          { type: 'text', text: 'No.' },
        ],
      },
    ]);
  });

  it.each(['ok', 'error', 'declined', 'expired', 'interrupted'] as const)(
    'says of a call that it came to %s, as the record does',
    (outcome) => {
      const results = { ...messages[3], outcomes: { c: outcome } };
      const [, answer] = turnsOf([...messages.slice(0, 3), results]);
      expect(answer).toMatchObject({ parts: [{ type: 'text' }, { type: 'tool', outcome }] });
    },
  );

  it('lists each source once, and shows what the provider ran', () => {
    const content = [
      { type: 'provider_tool', id: 'p', name: 'web_search', input: { query: 'a' } },
      { type: 'text', text: 'See.' },
      { type: 'source', url: 'https://example.com/a' },
      { type: 'source', url: 'https://example.com/a', title: 'A' },
      { type: 'source', url: 'javascript:alert(1)', title: 'B' },
    ] as const;
    expect(turnsOf([{ role: 'assistant', content }])).toMatchObject([
      {
        parts: [
          { name: 'web_search', input: { query: 'a' }, ranAtProvider: true },
          { text: 'See.' },
        ],
        sources: [{ url: 'https://example.com/a', host: 'example.com', title: 'A' }],
      },
    ]);
  });

  it('keeps what was attached apart from the words, to say it again', () => {
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image', url: 'https://example.com/a.png' },
    ] as const;
    expect(turnsOf([{ role: 'user', content, runId: 'r' }])).toEqual([
      {
        role: 'user',
        key: 'stored-0',
        text: 'What is this?',
        attachments: [content[1]],
        runId: 'r',
      },
    ]);
  });

  it('can leave the last answer to its run', () => {
    expect(withoutLastAnswer(turnsOf(messages))).toMatchObject([{ text: 'find it' }]);
  });
});
