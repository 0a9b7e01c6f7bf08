import { NO_USAGE, type AgentEvent } from '../message';
import { eventIn, MAX_EVENT_BYTES, textOfEvent } from './event-text';

const usage = NO_USAGE;
const END: AgentEvent = {
  type: 'run.finished',
  status: 'completed',
  stopReason: 'end_turn',
  message: 'Done.',
  usage,
  pendingActions: [],
  runId: 'run 1',
  seq: 7,
};
const PIECE: AgentEvent = { type: 'text.delta', delta: 'Hi', runId: 'run 1', seq: 7 };

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

describe('an event as Redis has it', () => {
  const sent: readonly AgentEvent[] = [
    PIECE,
    END,
    { type: 'tool.progress', callId: 'c', data: null, runId: 'run 1', seq: 7 },
    { type: 'step.finished', step: 1, usage, finishReason: 'tool_use', runId: 'run 1', seq: 7 },
    { ...PIECE, agent: 'research', parentCallId: 'c' },
  ];

  it.each(sent.map((event) => ({ event })))(
    'is the event that was sent: $event.type',
    ({ event }) => {
      expect(eventIn(textOfEvent(event) ?? '', 'run 1', 7)).toEqual(event);
    },
  );

  it.each<[string, unknown]>([
    ['of another run', { ...PIECE, runId: 'run 2' }],
    ['with another number', { ...PIECE, seq: 8 }],
    ['with a number in words', { ...PIECE, seq: '7' }],
    ['of an unknown type', { ...PIECE, type: 'run.owned' }],
    ['of a type of all objects', { ...PIECE, type: 'constructor' }],
    ['without its text', { ...PIECE, delta: undefined }],
    ['with a list as its text', { ...PIECE, delta: ['x'] }],
    ['with an agent that is no text', { ...PIECE, agent: {} }],
    ['with actions that are none', { ...END, pendingActions: [null] }],
    ['without usage', { ...END, usage: null }],
    ['that is a list', [PIECE]],
    ['that is nothing', null],
  ])('is refused %s', (_, event) => {
    const text = JSON.stringify(isObject(event) ? { v: 1, ...event } : event);
    expect(eventIn(text, 'run 1', 7)).toBeUndefined();
  });

  it('carries the version of its form, and is refused with a newer one or none', () => {
    const { v, ...body } = JSON.parse(textOfEvent(PIECE) ?? '') as Record<string, unknown>;
    expect(v).toBe(1);
    expect(eventIn(JSON.stringify({ ...body, v }), 'run 1', 7)).toEqual(PIECE);
    for (const other of [2, Number.MAX_SAFE_INTEGER, 0, -1, '1', null, undefined]) {
      expect(eventIn(JSON.stringify({ ...body, v: other }), 'run 1', 7)).toBeUndefined();
    }
  });

  it('is refused where it is no JSON', () => {
    for (const text of ['', '{', '{"type":"text.delta"', 'undefined']) {
      expect(eventIn(text, 'run 1', 7)).toBeUndefined();
    }
  });

  it('is not sent where it is too large', () => {
    const delta = '€'.repeat(MAX_EVENT_BYTES / 3);
    expect(textOfEvent({ ...PIECE, delta })).toBeUndefined();
    expect(textOfEvent({ ...PIECE, delta: delta.slice(100) })).toBeDefined();
  });
});
