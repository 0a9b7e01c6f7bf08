import { Injectable } from '@nestjs/common';
import { memoryStore, Tool, ToolContext, type ChatResult, type SessionStore } from 'nestjs-agent';
import type { RecordedEntry } from 'nestjs-agent/types';
import request from 'supertest';
import { Closers, ON_EXPRESS } from './http/agent-app';
import { SseStream } from './http/sse-client';
import { TelemetryRecorder } from './support/telemetry-recorder';

const alice = { authorization: 'Bearer alice' };
const PICK = { name: 'pick', description: 'Pick one', input_schema: { type: 'object' } };

@Injectable()
class PlaceTools {
  @Tool({ description: 'Say where we are', readOnly: true })
  place(): string {
    return 'Bern';
  }

  @Tool({ description: 'Wait until the call is cancelled', readOnly: true })
  wait(context: ToolContext): Promise<never> {
    context.emit('waiting');
    return new Promise((_, reject) => {
      context.signal.addEventListener('abort', () => reject(new Error('The call is over.')));
    });
  }
}

const usage = {
  inputTokens: 10,
  outputTokens: 5,
  totalTokens: 15,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

/** A run whose process died between the model's request and the results. */
function crashedRun(): readonly RecordedEntry[] {
  const runId = 'run_crashed';
  const call = (id: string, name: string, input = {}) =>
    ({ type: 'tool_use', id, name, input }) as const;
  return [
    {
      v: 1,
      seq: 1,
      type: 'run.started',
      runId,
      modelName: 'scripted',
      startedAt: '2026-01-01T00:00:00.000Z',
    },
    {
      v: 1,
      type: 'message',
      runId,
      message: { role: 'user', content: [{ type: 'text', text: 'Where are we?' }] },
    },
    {
      v: 1,
      seq: 2,
      type: 'step.finished',
      runId,
      step: 1,
      message: {
        role: 'assistant',
        content: [call('look', 'place'), call('write', 'remove_file', { name: 'a' })],
      },
      usage,
      finishReason: 'tool_use',
    },
    { v: 1, type: 'call.started', runId, callId: 'write' },
  ];
}

async function sessionWith(
  store: SessionStore,
  id: string,
  entries: readonly RecordedEntry[],
): Promise<void> {
  await store.create({ id, owner: 'alice' });
  const lease = await store.acquire(id, 60_000);
  if (lease === undefined) throw new Error('A new session is free.');
  await store.append(id, { lease, expectedVersion: 0, entries });
  await store.release(lease);
}

/** A store that cannot renew a lease. */
function withoutRenewal(store: SessionStore): SessionStore {
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'renew') return () => Promise.reject(new Error('away'));
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

describe.each(ON_EXPRESS)('telemetry of a run that is interrupted, on %s', (adapter) => {
  const apps = new Closers();
  let recorder: TelemetryRecorder;
  beforeEach(() => (recorder = new TelemetryRecorder()));
  afterEach(() => apps.close());

  const open = (options: Parameters<Closers['open']>[0]) =>
    apps.open({ adapter, telemetry: recorder, providers: [PlaceTools], ...options });

  const say = (url: string, body: object) => request(url).post('/agent/chat').set(alice).send(body);

  const listen = (url: string, body: object) =>
    SseStream.open(`${url}/agent/chat/stream`, { headers: alice, body });

  it('tells a cancel from a failure', async () => {
    const never = new Promise<never>(() => undefined);
    const { url } = await open({ steps: [[{ type: 'text.delta', delta: 'Well' }, never]] });
    const stream = await listen(url, { message: 'hi' });
    const started = await stream.next('run.started');
    await stream.next('text.delta');
    await request(url).delete(`/agent/runs/${started.runId}`).set(alice);
    await stream.next('run.finished');
    expect(recorder.lines).toEqual([
      'run start scripted: cancelled',
      '  step 1 start: cancelled',
      '    modelCall step scripted 1: cancelled',
      '      ! first_token',
    ]);
  });

  it('tells a cancel from a failure of a tool', async () => {
    const { url } = await open({ steps: [{ toolCalls: [{ name: 'wait', input: {} }] }] });
    const stream = await listen(url, { message: 'hi' });
    const started = await stream.next('run.started');
    await stream.next('tool.progress');
    await request(url).delete(`/agent/runs/${started.runId}`).set(alice);
    await stream.next('run.finished');
    expect(recorder.lines).toEqual([
      'run start scripted: cancelled',
      '  step 1 start: cancelled',
      '    modelCall step scripted 1: completed',
      '      ! first_token',
      '    toolCall wait call: interrupted',
    ]);
  });

  it('names a lease that was lost', async () => {
    const never = new Promise<never>(() => undefined);
    const { url } = await open({
      steps: [[{ type: 'text.delta', delta: 'Well' }, never]],
      sessions: { store: withoutRenewal(memoryStore()), leaseMs: 600 },
    });
    expect((await say(url, { message: 'hi' })).status).toBe(503);
    expect(recorder.lines[0]).toBe('run start scripted: failed lease_lost');
    expect(recorder.isOver).toBe(true);
  });

  it('shows a summary of the history as a model call of its own', async () => {
    const counted = { inputTokens: 20, outputTokens: 1_980, totalTokens: 2_000 };
    const long = { text: 'All about rivers. '.repeat(400), usage: counted };
    const { url } = await open({
      steps: [long, 'A summary.', 'Fine.'],
      sessions: { compaction: { thresholdTokens: 1_500, keepRecentTokens: 200 } },
    });
    const { sessionId } = (await say(url, { message: 'Tell me all.' })).body as ChatResult;
    recorder.clear();
    await say(url, { message: 'And now?', sessionId });
    expect(recorder.lines).toEqual([
      'run start scripted: completed',
      '  step 1 start: completed',
      '    modelCall compaction scripted 1: completed',
      '      ! first_token',
      '    ! compaction',
      '    modelCall step scripted 1: completed',
      '      ! first_token',
    ]);
  });

  it("lets a browser's tool last until its result, where the stream waits for it", async () => {
    const { url } = await open({ steps: [{ toolCalls: [{ id: 'b1', name: 'pick' }] }, 'Picked.'] });
    const body = { message: 'pick', frontendTools: [PICK] };
    const stream = await listen(url, body);
    const { sessionId } = await stream.next('run.started');
    await stream.next('frontend.call');
    expect(recorder.find('toolCall')).toMatchObject([{ info: { tool: 'pick', reason: 'call' } }]);
    expect(recorder.isOver).toBe(false);
    const delivered = { sessionId, callId: 'b1', result: 'the red one' };
    await request(url).post('/agent/chat/tool-result').set(alice).send(delivered);
    await stream.next('run.finished');
    expect(recorder.lines).toEqual([
      'run start scripted: completed',
      '  step 1 start: completed',
      '    modelCall step scripted 1: completed',
      '      ! first_token',
      '    toolCall pick call: executed',
      '  step 2 start: completed',
      '    modelCall step scripted 1: completed',
      '      ! first_token',
    ]);
  });

  it('shows what is settled of a run whose process died, before the next one', async () => {
    const store = memoryStore();
    await sessionWith(store, 'ses_crashed', crashedRun());
    const { url } = await open({ steps: ['Well.'], sessions: { store } });
    await say(url, { message: 'And now?', sessionId: 'ses_crashed' });
    expect(recorder.lines).toEqual([
      'run recovery: failed interrupted',
      '  toolCall place call: executed',
      '  ! tool.refused remove_file interrupted outcome_unknown',
      'run start scripted: completed',
      '  step 1 start: completed',
      '    modelCall step scripted 1: completed',
      '      ! first_token',
    ]);
    expect(recorder.find('run').map(({ info }) => info['runId'])).toEqual([
      'run_crashed',
      expect.stringMatching(/^run_(?!crashed)/),
    ]);
  });
});
