import { estimatedUsage, NO_USAGE, type AgentEventBody, type PendingAction } from '../../message';
import type { RunHandle } from '../../run';
import { resultOf, ScriptedRun } from '../fixtures/scripted-agent';
import type { AgUiEvent } from './ag-ui-event';
import { AgUiEncoder, type AgUiStreamOptions } from './ag-ui.encoder';

type Body = AgentEventBody;

function encoderOf(options: Partial<AgUiStreamOptions> = {}): AgUiEncoder {
  return new AgUiEncoder({
    threadId: 'main',
    runId: 'r1',
    isModern: true,
    sendReasoning: true,
    clientNameOf: (name) => name,
    ...options,
  });
}

function eventsIn(frames: string): readonly AgUiEvent[] {
  return frames
    .split('\n\n')
    .filter(Boolean)
    .map((frame) => JSON.parse(frame.replace(/^data: /, '')) as AgUiEvent);
}

/** The events of a run, and the encoder after it. */
function told(
  bodies: readonly Body[],
  encoder = encoderOf(),
  before: Partial<RunHandle['before']> = {},
): readonly AgUiEvent[] {
  const run = new ScriptedRun();
  const heard = { steps: 0, answered: new Set<string>() };
  const continued: RunHandle = {
    runId: run.runId,
    sessionId: run.sessionId,
    model: run.model,
    before: { usage: NO_USAGE, calls: [], lastSeq: 0, ...before },
    events: () => run.events(),
    finished: run.finished,
    cancel: () => undefined,
  };
  encoder.enter(continued, heard);
  return bodies.flatMap((body, index) =>
    eventsIn(encoder.encode({ ...body, runId: 'run_1', seq: index + 1 })),
  );
}

const typesOf = (events: readonly AgUiEvent[]): readonly string[] => events.map(({ type }) => type);
const call = { callId: 'c1', name: 'add', kind: 'provider' } as const;
const started: Body = { type: 'step.started', step: 1 };
const finished: Body = {
  type: 'step.finished',
  step: 1,
  usage: NO_USAGE,
  finishReason: 'end_turn',
};

describe('AgUiEncoder', () => {
  it('tells what AG-UI has no event for as custom events', () => {
    const compaction = { tokensBefore: 9, tokensAfter: 3, messages: 4 };
    const notice = { code: 'attachment_not_seen', message: 'The model cannot read it.' };
    const search = { name: 'web_search', input: { query: 'lamps' } };
    const events = told([
      { type: 'tool.progress', callId: 'c1', data: { percent: 5 } },
      { type: 'compaction', ...compaction },
      { type: 'notice', ...notice },
      { type: 'provider.tool', callId: 'p1', ...search },
      { type: 'source', url: 'https://lamps.example', title: 'Lamps' },
      { type: 'source', url: 'https://other.example' },
    ]);
    expect(events).toEqual(
      [
        { name: 'tool-progress', value: { toolCallId: 'c1', data: { percent: 5 } } },
        { name: 'compaction', value: compaction },
        { name: 'notice', value: notice },
        { name: 'provider-tool', value: { toolCallId: 'p1', ...search } },
        { name: 'source', value: { url: 'https://lamps.example', title: 'Lamps' } },
        { name: 'source', value: { url: 'https://other.example' } },
      ].map((event) => ({ type: 'CUSTOM', ...event })),
    );
  });

  it('continues the text of a step behind a call, under the same id', () => {
    const events = told([
      started,
      { type: 'text.delta', delta: 'One' },
      { type: 'tool.input.delta', ...call, delta: '{}' },
      { type: 'text.delta', delta: 'Two' },
      finished,
      { type: 'tool.call', ...call, input: {} },
    ]);
    expect(typesOf(events)).toEqual([
      'STEP_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'TOOL_CALL_START',
      'TOOL_CALL_ARGS',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'TOOL_CALL_END',
    ]);
    const ids = events.flatMap((event) => ('messageId' in event ? [event.messageId] : []));
    expect(new Set(ids)).toEqual(new Set(['run_1:1']));
  });

  it('closes reasoning before the text', () => {
    const events = told([
      started,
      { type: 'thinking.delta', delta: 'Hm' },
      { type: 'thinking.delta', delta: '.' },
      { type: 'text.delta', delta: 'Yes' },
    ]);
    expect(typesOf(events).slice(3, 7)).toEqual([
      'REASONING_MESSAGE_CONTENT',
      'REASONING_MESSAGE_CONTENT',
      'REASONING_MESSAGE_END',
      'REASONING_END',
    ]);
  });

  it('sends no empty pieces', () => {
    const events = told([
      { type: 'thinking.delta', delta: '' },
      { type: 'text.delta', delta: '' },
      { type: 'tool.input.delta', ...call, delta: '' },
    ]);
    expect(typesOf(events)).toEqual(['TOOL_CALL_START']);
  });

  it('ends a call whose arguments broke off, before the error', () => {
    const encoder = encoderOf();
    told([started, { type: 'tool.input.delta', ...call, delta: '{"a' }], encoder);
    const failed = eventsIn(encoder.fail({ code: 'model_unavailable', message: 'Away.' }));
    expect(failed).toEqual([
      { type: 'TOOL_CALL_END', toolCallId: 'c1' },
      { type: 'STEP_FINISHED', stepName: 'step-1' },
      { type: 'RUN_ERROR', code: 'model_unavailable', message: 'Away.' },
    ]);
  });

  it('tells no call again that was told before the request', () => {
    const events = told([{ type: 'tool.call', ...call, input: { a: 2 } }], encoderOf(), {
      calls: ['c1'],
    });
    expect(events).toEqual([]);
  });

  it('counts the tokens of this request alone, by model, without zeros', () => {
    const encoder = encoderOf();
    told([], encoder, { usage: estimatedUsage(10, 5) });
    encoder.leave(resultOf({ usage: { ...estimatedUsage(30, 9), cachedInputTokens: 4 } }));
    const [end] = eventsIn(encoder.finish(resultOf()));
    expect(end).toMatchObject({
      usage: [
        {
          model: 'scripted',
          inputTokens: 20,
          outputTokens: 4,
          totalTokens: 24,
          cachedInputTokens: 4,
        },
      ],
    });
    expect(JSON.stringify(end)).not.toContain(':0');
    expect(eventsIn(encoderOf().finish(resultOf()))[0]).not.toHaveProperty('usage');
  });

  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const frontend: PendingAction = {
    type: 'frontend',
    callId: 'f1',
    name: 'x',
    input: {},
    expiresAt,
  };

  it.each([
    [true, 'cancelled', [], { type: 'cancelled' }],
    [false, 'cancelled', [], undefined],
    [true, 'requires_action', [frontend], { type: 'success', pendingToolCallIds: ['f1'] }],
    [false, 'requires_action', [frontend], undefined],
    [
      true,
      'requires_action',
      [{ ...frontend, type: 'approval', expiresAt: '2020-01-01T00:00:00.000Z' }],
      { type: 'success' },
    ],
    [true, 'requires_action', [{ ...frontend, type: 'external' }], { type: 'success' }],
  ] as const)('ends (modern: %s) a run that is %s: %j', (isModern, status, actions, outcome) => {
    const pendingActions: readonly PendingAction[] = actions;
    const [end] = eventsIn(encoderOf({ isModern }).finish({ status, pendingActions }));
    expect(end).toEqual({
      type: 'RUN_FINISHED',
      threadId: 'main',
      runId: 'r1',
      ...(outcome && { outcome }),
    });
  });
});
