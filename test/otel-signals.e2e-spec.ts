import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, type LoggerService } from '@nestjs/common';
import { type Context, context, trace } from '@opentelemetry/api';
import {
  AgentHealth,
  type AuditRecord,
  type ChatResult,
  memoryStore,
  openai,
  type SessionStore,
  Tool,
} from 'nestjs-agent';
import { otel } from 'nestjs-agent/otel';
import request from 'supertest';
import { Closers } from './http/agent-app';
import { SseStream } from './http/sse-client';
import { Traced } from './support/otel/traced';

const alice = { authorization: 'Bearer alice' };

@Injectable()
class PlaceTools {
  @Tool({ description: 'Say where we are', readOnly: true })
  place(): string {
    return 'Bern';
  }

  @Tool({ description: 'Fail', readOnly: true })
  broken(): string {
    throw new Error('It is broken.');
  }
}

describe('what else is told of a run', () => {
  const apps = new Closers();
  const servers: Server[] = [];
  let traced: Traced;
  beforeEach(() => (traced = Traced.start()));
  afterEach(async () => {
    await apps.close();
    for (const server of servers.splice(0)) server.close().closeAllConnections();
    await traced.stop();
  });

  const open = (options: Parameters<Closers['open']>[0] = {}) =>
    apps.open({
      telemetry: otel({ meterProvider: traced.meters }),
      audit: { record: () => undefined },
      providers: [PlaceTools],
      ...options,
    });

  const chat = async (url: string, body: object = { message: 'hi' }): Promise<ChatResult> => {
    const { body: answer } = await request(url).post('/agent/chat').set(alice).send(body);
    return answer as ChatResult;
  };

  const settled = async () => {
    while (traced.open.size > 0) await new Promise(setImmediate);
  };

  const serve = async (answer: (body: string) => string): Promise<string> => {
    const server = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => response.end(answer(Buffer.concat(chunks).toString())));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  it('is what the provider says of its answer', async () => {
    const chunk = (more: object) =>
      `data: ${JSON.stringify({ id: 'chatcmpl-7', model: 'gpt-4.1-2025', ...more })}\n\n`;
    const baseURL = await serve(
      () =>
        chunk({ choices: [{ index: 0, delta: { content: 'Hi' } }] }) +
        chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
        chunk({
          choices: [],
          usage: {
            prompt_tokens: 9,
            completion_tokens: 3,
            total_tokens: 12,
            prompt_tokens_details: { cached_tokens: 4 },
            completion_tokens_details: { reasoning_tokens: 2 },
          },
        }) +
        'data: [DONE]\n\n',
    );
    const { url } = await open({ model: openai({ model: 'gpt-4.1', baseURL, api: 'chat' }) });
    await chat(url);
    await settled();
    expect(traced.span('chat gpt-4.1').attributes).toMatchObject({
      'gen_ai.request.model': 'gpt-4.1',
      'gen_ai.response.id': 'chatcmpl-7',
      'gen_ai.response.model': 'gpt-4.1-2025',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 9,
      'gen_ai.usage.output_tokens': 3,
      'gen_ai.usage.cache_read.input_tokens': 4,
      'gen_ai.usage.reasoning.output_tokens': 2,
    });
  });

  it('are the ids of the span in audit records and around log lines', async () => {
    const records: AuditRecord[] = [];
    const lines: (string | undefined)[] = [];
    const log = (_message: unknown, ...rest: unknown[]): void => {
      if (rest.at(-1) === 'ToolExecution') lines.push(trace.getActiveSpan()?.spanContext().spanId);
    };
    const { url } = await open({
      appOptions: { logger: { log, error: log, warn: log } satisfies LoggerService },
      audit: { record: (record) => void records.push(record) },
      steps: [
        {
          toolCalls: [
            { id: 'c1', name: 'place' },
            { id: 'c2', name: 'nowhere' },
          ],
        },
        { toolCalls: [{ id: 'c3', name: 'broken' }] },
        'Bern.',
      ],
    });
    await chat(url);
    await settled();
    const idsOf = (name: string) => {
      const { traceId, spanId } = traced.span(name).spanContext();
      return { traceId, spanId };
    };
    const [ran, refused, broken] = ['c1', 'c2', 'c3'].map((id) =>
      records.find(({ callId }) => callId === id),
    );
    expect(ran).toMatchObject(idsOf('execute_tool place'));
    expect(refused).toMatchObject(idsOf('invoke_agent agent'));
    expect(broken).toMatchObject(idsOf('execute_tool broken'));
    expect(lines).toEqual([idsOf('execute_tool broken').spanId]);
  });

  it('is counted in metrics, without ids and names that others choose', async () => {
    const { url } = await open({
      limits: { runsPerPrincipal: 1 },
      steps: [
        { toolCalls: [{ name: 'place' }, { name: 'CANARY_invented' }] },
        'Bern.',
        { toolCalls: [{ id: 'd1', name: 'remove_file', input: { name: 'a' } }] },
        'Removed.',
        [{ type: 'text.delta', delta: 'Well' }, new Promise(() => undefined)],
      ],
    });
    await chat(url);
    const { runId } = await chat(url);
    const waiting = async () =>
      (await traced.metrics()).find(({ name }) => name === 'nestjs_agent.runs.waiting')?.value;
    expect(await waiting()).toBe(1);
    const actions = [{ callId: 'd1', type: 'approve' }];
    await request(url).post(`/agent/runs/${runId}/actions`).set(alice).send({ actions });
    expect(await waiting()).toBe(0);
    const stream = await SseStream.open(`${url}/agent/chat/stream`, {
      headers: alice,
      body: { message: 'hi' },
    });
    await stream.next('text.delta');
    await chat(url);
    const points = await traced.metrics();
    const valueOf = (name: string, ...[attribute, value]: readonly string[]) =>
      points.find(
        (point) =>
          point.name === name && (attribute === undefined || point.attributes[attribute] === value),
      );
    expect(valueOf('nestjs_agent.runs.active')?.value).toBe(1);
    expect(valueOf('nestjs_agent.streams.open')?.value).toBe(1);
    expect(valueOf('nestjs_agent.runs.refused')).toMatchObject({
      value: 1,
      attributes: { 'gen_ai.agent.name': 'agent', 'nestjs_agent.reason': 'too_many_runs' },
    });
    expect(valueOf('gen_ai.invoke_agent.duration')?.count).toBe(3);
    expect(valueOf('gen_ai.invoke_agent.inference_calls')).toMatchObject({ count: 3, value: 4 });
    expect(valueOf('gen_ai.invoke_agent.tool_calls')).toMatchObject({ count: 3, value: 2 });
    expect(valueOf('gen_ai.execute_tool.duration', 'gen_ai.tool.name', 'place')?.count).toBe(1);
    expect(valueOf('gen_ai.client.inference.duration')).toMatchObject({
      count: 4,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'custom',
        'gen_ai.request.model': 'scripted',
      },
    });
    expect(valueOf('gen_ai.client.inference.time_to_first_chunk')?.count).toBe(4);
    expect(
      valueOf('nestjs_agent.store.duration', 'nestjs_agent.operation', 'append'),
    ).toBeDefined();
    const keys = new Set(points.flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...keys].toSorted()).toEqual([
      'gen_ai.agent.name',
      'gen_ai.operation.name',
      'gen_ai.provider.name',
      'gen_ai.request.model',
      'gen_ai.tool.name',
      'nestjs_agent.operation',
      'nestjs_agent.reason',
    ]);
    expect(JSON.stringify(points)).not.toContain('CANARY');
    stream.drop();
  });

  it('takes a waiting run back that is left, and counts a tool of the page as another', async () => {
    const frontendTools = [
      { name: 'CANARY_page', description: 'Pick one', input_schema: { type: 'object' } },
    ];
    const { url } = await open({
      steps: [{ toolCalls: [{ id: 'b1', name: 'CANARY_page' }] }, 'Fine.', 'Well.'],
    });
    const { sessionId, runId } = await chat(url, { message: 'hi', frontendTools });
    const actions = [{ callId: 'b1', type: 'result', result: 'red' }];
    await request(url)
      .post(`/agent/runs/${runId}/actions`)
      .set(alice)
      .send({ actions, frontendTools });
    const model = [{ toolCalls: [{ id: 'd1', name: 'remove_file', input: { name: 'a' } }] }];
    const second = await open({ steps: [...model, 'Left.'] });
    const left = await chat(second.url);
    await chat(second.url, { message: 'Never mind.', sessionId: left.sessionId });
    const points = await traced.metrics();
    expect(sessionId).toBeDefined();
    expect(points.find(({ name }) => name === 'nestjs_agent.runs.waiting')?.value).toBe(0);
    expect(points.find(({ name }) => name === 'gen_ai.execute_tool.duration')?.attributes).toEqual({
      'gen_ai.tool.name': '_OTHER',
    });
  });

  it('names a lost lease, which is renewed in no trace', async () => {
    const contexts: Context[] = [];
    const store = new Proxy(memoryStore(), {
      get: (target, name: keyof SessionStore) => {
        if (name !== 'renew') return target[name]?.bind(target);
        return () => {
          contexts.push(context.active());
          return Promise.reject(new Error('away'));
        };
      },
    });
    const { url } = await open({
      steps: [[{ type: 'reasoning.delta', delta: 'Well' }, new Promise(() => undefined)]],
      sessions: { store, leaseMs: 600 },
    });
    expect((await request(url).post('/agent/chat').set(alice).send({ message: 'hi' })).status).toBe(
      503,
    );
    await settled();
    expect(traced.lines).toEqual([
      'invoke_agent agent !lease_lost',
      '  CLIENT chat scripted (first_token)',
    ]);
    const timed = contexts.filter((each) => trace.getSpan(each) === undefined);
    expect(timed.length).toBeGreaterThan(0);
    const lost = (await traced.metrics()).find(({ name }) => name === 'nestjs_agent.lease.lost');
    expect(lost?.value).toBe(1);
  });

  it('is the health of what the agent depends on', async () => {
    const { app } = await open();
    expect(await app.get(AgentHealth).check()).toEqual({
      status: 'up',
      store: { status: 'up' },
      model: { status: 'not asked' },
    });
  });
});
