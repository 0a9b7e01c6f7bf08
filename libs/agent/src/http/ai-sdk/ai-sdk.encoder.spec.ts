import { readUIMessageStream, type UIMessage, uiMessageChunkSchema, type UIMessageChunk } from 'ai';
import { NO_USAGE, type AgentEvent, type AgentEventBody } from '../../message';
import { resultOf } from '../fixtures/scripted-agent';
import { AiSdkEncoder } from './ai-sdk.encoder';
import { withoutAnswered } from './replay';

const schema = uiMessageChunkSchema();
const LATER = '2026-01-01T01:00:00.000Z';
const asked = { callId: 'c1', name: 'remove_file', input: {} };
const CALL = { type: 'tool.call', kind: 'provider', awaits: 'approval', ...asked } as const;
const APPROVAL = { type: 'approval.required', ...asked, reason: 'Why.', expiresAt: LATER } as const;
const PARKED = ended('requires_action', 'requires_action');
const DONE = {
  type: 'tool.result',
  callId: 'c1',
  name: 'remove_file',
  output: 'Done.',
  isError: false,
  durationMs: 1,
  outcome: 'ok',
} as const;

function ended(
  status: 'completed' | 'requires_action' | 'cancelled' | 'failed',
  stopReason: Extract<AgentEventBody, { type: 'run.finished' }>['stopReason'],
  message = '',
): AgentEventBody {
  return { type: 'run.finished', status, stopReason, message, usage: NO_USAGE, pendingActions: [] };
}

function numbered(bodies: readonly AgentEventBody[]): readonly AgentEvent[] {
  return bodies.map((body, index) => ({ ...body, runId: 'run_1', seq: index + 1 }));
}

function encoderOf(more: object = {}): AiSdkEncoder {
  const ids = { runId: 'run_1', sessionId: 'ses_1', model: 'scripted', messageId: 'msg_run_1' };
  return new AiSdkEncoder({ ...ids, sendReasoning: true, ...more });
}

/** The chunks, each of which `ai` 6 must know. */
async function chunksOf(
  bodies: readonly AgentEventBody[],
  { more = {}, result }: { more?: object; result?: Parameters<typeof resultOf>[0] } = {},
): Promise<readonly UIMessageChunk[]> {
  const encoder = encoderOf(more);
  const text = [
    encoder.open(),
    ...numbered(bodies).map((event) => encoder.encode(event)),
    ...(result ? [encoder.close(resultOf(result))] : []),
  ].join('');
  const chunks = text
    .split('\n\n')
    .filter((frame) => frame !== '' && frame !== 'data: [DONE]')
    .map((frame) => JSON.parse(frame.slice('data: '.length)) as UIMessageChunk);
  for (const chunk of chunks) {
    expect({ chunk, ...(await schema.validate?.(chunk)) }).toMatchObject({ success: true });
  }
  return chunks.slice(1);
}

const typesOf = (chunks: readonly { readonly type: string }[]) => chunks.map(({ type }) => type);

describe('AiSdkEncoder', () => {
  it('sends nothing before the first content, so that a failure has its status', () => {
    const encoder = encoderOf();
    const bodies = [
      { type: 'run.started', sessionId: 'ses_1', model: 'scripted' },
      { type: 'step.started', step: 1 },
      { type: 'error', code: 'model_overloaded', message: 'Busy.' },
      ended('failed', 'error'),
    ] as const;
    expect(numbered(bodies).map((event) => encoder.encode(event))).toEqual(['', '', '', '']);
  });

  it('marks the parts of a discarded step, and tells its text anew in another one', async () => {
    const chunks = await chunksOf([
      { type: 'step.started', step: 1 },
      { type: 'text.delta', delta: 'Hel' },
      { type: 'step.discarded', from: 1, to: 2 },
      { type: 'step.started', step: 1 },
      { type: 'text.delta', delta: 'Hello' },
      ended('completed', 'end_turn', 'Hello'),
    ]);
    let message: UIMessage | undefined;
    const stream = new ReadableStream<UIMessageChunk>({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    for await (const each of readUIMessageStream({ stream })) message = each;
    expect(message?.parts).toEqual([
      { type: 'step-start' },
      { type: 'text', text: 'Hel', state: 'done' },
      { type: 'data-step-discarded', data: { from: 1, to: 2 } },
      { type: 'step-start' },
      { type: 'text', text: 'Hello', state: 'done' },
    ]);
  });

  it('leaves a step as it is that was finished before its worker stopped', async () => {
    const chunks = await chunksOf([
      { type: 'step.started', step: 1 },
      { type: 'text.delta', delta: 'One.' },
      { type: 'step.finished', step: 1, usage: NO_USAGE, finishReason: 'tool_use' },
      { type: 'tool.call', kind: 'provider', ...asked },
      { type: 'step.discarded', from: 5, to: 1_004 },
      DONE,
      { type: 'step.started', step: 2 },
      { type: 'text.delta', delta: 'Two.' },
    ]);
    expect(typesOf(chunks)).not.toContain('data-step-discarded');
    expect(typesOf(chunks).filter((type) => type === 'start-step')).toHaveLength(2);
  });

  it('says nothing of a discarded step without content', async () => {
    const started = { type: 'step.started', step: 1 } as const;
    const chunks = await chunksOf([started, { type: 'step.discarded', from: 1, to: 1 }, started]);
    expect(chunks).toEqual([]);
  });

  it('closes text and reasoning before anything else', async () => {
    const chunks = await chunksOf([
      { type: 'step.started', step: 1 },
      { type: 'thinking.delta', delta: 'Hm.' },
      { type: 'text.delta', delta: 'a' },
      { type: 'compaction', tokensBefore: 9, tokensAfter: 3, messages: 2 },
      { type: 'text.delta', delta: 'b' },
      { type: 'source', url: 'https://example.com', title: 'Example' },
      { type: 'provider.tool', callId: 'p1', name: 'web_search', input: { q: 'x' } },
      { type: 'notice', code: 'n', message: 'Note.' },
      { type: 'tool.progress', callId: 'c1', data: 0.5 },
    ]);
    expect(typesOf(chunks)).toEqual([
      'start-step',
      'reasoning-start',
      'reasoning-delta',
      'reasoning-end',
      'text-start',
      'text-delta',
      'text-end',
      'data-compaction',
      'text-start',
      'text-delta',
      'text-end',
      'source-url',
      'tool-input-available',
      'tool-output-available',
      'data-notice',
      'data-tool-progress',
    ]);
    expect(chunks.filter(({ type }) => type.startsWith('data-'))).toEqual([
      expect.objectContaining({ transient: true }),
      expect.objectContaining({ transient: true }),
      { type: 'data-tool-progress', data: { toolCallId: 'c1', data: 0.5 }, transient: true },
    ]);
  });

  it.each([
    ['{"a":1}', { a: 1 }],
    [' [1]', [1]],
    ['{broken', '{broken'],
    ['42', '42'],
    ['null', 'null'],
    ['', ''],
  ])('tells the result %j as %j', async (output, told) => {
    const [chunk] = await chunksOf([{ ...DONE, output }], { more: { told: ['c1'] } });
    expect(chunk).toMatchObject({ type: 'tool-output-available', output: told });
  });

  it('tells an edited call again without a step, for its result to follow', async () => {
    const edited = { type: 'tool.call', kind: 'provider', ...asked, input: { name: 'b' } } as const;
    const chunks = await chunksOf([edited, DONE], { more: { told: ['c1'] } });
    expect(typesOf(chunks)).toEqual(['tool-input-available', 'tool-output-available']);
    expect(chunks[0]).toMatchObject({ providerExecuted: true, input: { name: 'b' } });
  });

  it('holds the call of an asked agent until the run waits, unless it has its result before', async () => {
    const agent = 'clerk';
    const call = { ...CALL, agent };
    const approval = { ...APPROVAL, agent };
    const done = { ...DONE, agent };
    expect(typesOf(await chunksOf([call, approval, PARKED]))).toContain('tool-approval-request');
    const chunks = await chunksOf([call, approval, done, PARKED]);
    expect(typesOf(chunks)).toEqual(['tool-input-available', 'tool-output-available']);
  });

  it('gives a frontend tool to the client only once it is approved', async () => {
    const call = { ...CALL, kind: 'frontend' } as const;
    const first = await chunksOf([call, APPROVAL, PARKED]);
    expect(typesOf(first)).toEqual(['tool-input-available', 'tool-approval-request']);
    const given = { type: 'frontend.call', ...asked, expiresAt: LATER } as const;
    const second = await chunksOf([given, PARKED], { more: { told: ['c1'] } });
    expect(second).toEqual([
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'remove_file', input: {} },
    ]);
    const third = await chunksOf([DONE], { more: { told: ['c1'], frontendCalls: ['c1'] } });
    expect(third[0]).not.toHaveProperty('providerExecuted');
    const once = await chunksOf([{ ...CALL, kind: 'frontend', awaits: 'frontend' }, given]);
    expect(typesOf(once)).toEqual(['tool-input-available']);
  });

  it.each([
    ['completed', 'end_turn', 'stop'],
    ['completed', 'max_tokens', 'length'],
    ['completed', 'budget', 'length'],
    ['completed', 'refusal', 'content-filter'],
    ['completed', 'loop', 'other'],
    ['requires_action', 'requires_action', 'tool-calls'],
  ] as const)('ends %s, %s with %s', async (status, stopReason, finishReason) => {
    const chunks = await chunksOf([], { result: { status, stopReason } });
    expect(chunks).toEqual([
      {
        type: 'finish',
        finishReason,
        messageMetadata: expect.objectContaining({ status, stopReason }) as unknown,
      },
    ]);
  });

  it('words an end that was not streamed, in a step of its own', async () => {
    const text = { type: 'text.delta', delta: 'Half a sen' } as const;
    const chunks = await chunksOf(
      [
        { type: 'step.started', step: 1 },
        text,
        ended('completed', 'budget', 'The budget is spent.'),
      ],
      { result: { stopReason: 'budget' } },
    );
    expect(typesOf(chunks).slice(4)).toEqual([
      'finish-step',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'finish-step',
      'finish',
    ]);
    const told = { type: 'text.delta', delta: 'The budget is spent.' } as const;
    const once = await chunksOf([told, ended('completed', 'budget', 'The budget is spent.')]);
    expect(typesOf(once).filter((type) => type === 'text-delta')).toHaveLength(1);
  });

  it('ends a cancelled run after results with an empty step, which clients do not send back', async () => {
    const more = { told: ['c1'], frontendCalls: ['c1'] };
    const result = { status: 'cancelled', stopReason: 'cancelled' } as const;
    expect(typesOf(await chunksOf([DONE], { more, result }))).toEqual([
      'tool-output-available',
      'start-step',
      'finish-step',
      'abort',
    ]);
    // Where others are still waited for, they have to stay in the last step.
    const waiting = { status: 'requires_action', stopReason: 'requires_action' } as const;
    expect(typesOf(await chunksOf([DONE], { more, result: waiting }))).toEqual([
      'tool-output-available',
      'finish',
    ]);
  });

  it('marks calls with results in a replay, and ends it with its last event', async () => {
    const bodies = [CALL, DONE, ended('completed', 'end_turn')];
    const chunks = await chunksOf(bodies, { more: { replay: { settled: ['c1'] } } });
    expect(chunks[0]).toMatchObject({ type: 'tool-input-available', providerExecuted: true });
    expect(typesOf(chunks).at(-1)).toBe('finish');
  });
});

describe('withoutAnswered', () => {
  const typesAfter = async (bodies: readonly AgentEventBody[]): Promise<readonly string[]> => {
    const types: string[] = [];
    async function* events() {
      yield* numbered(bodies);
    }
    for await (const { type } of withoutAnswered(events())) types.push(type);
    return types;
  };

  it('drops questions that the run went on from, and keeps those that are open', async () => {
    expect(await typesAfter([CALL, APPROVAL, PARKED, DONE, APPROVAL, PARKED])).toEqual([
      'tool.call',
      'tool.result',
      'approval.required',
      'run.finished',
    ]);
  });

  it('keeps a question that something of the same step follows', async () => {
    expect(await typesAfter([APPROVAL, DONE, PARKED])).toEqual([
      'approval.required',
      'tool.result',
      'run.finished',
    ]);
  });
});
