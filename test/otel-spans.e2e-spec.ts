import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Get, Injectable, Param } from '@nestjs/common';
import { context, trace } from '@opentelemetry/api';
import {
  AgentService,
  defineModel,
  fallback,
  openai,
  Tool,
  ToolParam,
  type ChatResult,
} from 'nestjs-agent';
import { otel } from 'nestjs-agent/otel';
import { Barrier } from 'nestjs-agent/testing';
import request from 'supertest';
import { ADAPTERS, Closers } from './http/agent-app';
import { SseStream } from './http/sse-client';
import { traceServers } from './support/otel/server-spans';
import { Traced } from './support/otel/traced';

const alice = { authorization: 'Bearer alice' };
const PICK = { name: 'pick', description: 'Pick one', input_schema: { type: 'object' } } as const;

@Controller('orders')
class OrdersController {
  @Tool({ name: 'get_order', description: 'Look up an order' })
  @Get(':id')
  find(@Param('id') id: string) {
    return { id };
  }
}

@Injectable()
class WeatherTools {
  @Tool({ description: 'Say how the weather is', readOnly: true })
  async weather(@ToolParam('city') city: string): Promise<string> {
    await new Promise(setImmediate);
    trace.getTracer('theirs').startSpan(`ask for ${city}`).end();
    return `sunny in ${city}`;
  }
}

describe.each(ADAPTERS)('spans, on %s', (adapter) => {
  const apps = new Closers();
  const servers: Server[] = [];
  let traced: Traced;
  let stopServers: () => void;
  beforeEach(() => {
    traced = Traced.start();
    stopServers = traceServers();
  });
  afterEach(async () => {
    await apps.close();
    for (const server of servers.splice(0)) server.close().closeAllConnections();
    stopServers();
    await traced.stop();
  });

  const open = (options: Parameters<Closers['open']>[0] = {}) =>
    apps.open({
      adapter,
      telemetry: otel(),
      controllers: [OrdersController],
      providers: [WeatherTools],
      ...options,
    });

  const chat = async (url: string, body: object = { message: 'hi' }): Promise<ChatResult> => {
    const answer = await request(url).post('/agent/chat').set(alice).send(body);
    return answer.body as ChatResult;
  };

  const act = async (url: string, runId: string, actions: readonly object[], more = {}) => {
    const body = { actions, ...more };
    await request(url).post(`/agent/runs/${runId}/actions`).set(alice).send(body);
  };

  const listen = (url: string, body: object = { message: 'hi' }) =>
    SseStream.open(`${url}/agent/chat/stream`, { headers: alice, body });

  /** Everything has ended, also what outlives its response. */
  const settled = async () => {
    while (traced.open.size > 0) await new Promise(setImmediate);
    return traced.lines;
  };

  const CHAT = 'SERVER POST /agent/chat';
  const STREAM = 'SERVER POST /agent/chat/stream';
  const ANSWER = '    CLIENT chat scripted (first_token)';

  it('of a plain run', async () => {
    const { url } = await open({ steps: ['Hello!'] });
    const { runId, sessionId, usage } = await chat(url);
    expect(await settled()).toEqual([CHAT, '  invoke_agent agent', ANSWER]);
    const identity = {
      'gen_ai.agent.name': 'agent',
      'gen_ai.conversation.id': sessionId,
      'session.id': sessionId,
      'nestjs_agent.run.id': runId,
      'gen_ai.provider.name': 'custom',
      'gen_ai.request.model': 'scripted',
    };
    expect(traced.span('invoke_agent agent').attributes).toEqual({
      ...identity,
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.usage.input_tokens': usage.inputTokens,
      'gen_ai.usage.output_tokens': usage.outputTokens,
      'nestjs_agent.status': 'completed',
      'nestjs_agent.stop_reason': 'end_turn',
      'nestjs_agent.steps': 1,
    });
    expect(traced.span('chat scripted').attributes).toMatchObject({
      ...identity,
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.stream': true,
      'gen_ai.request.max_tokens': 4_096,
      'gen_ai.response.finish_reasons': ['end_turn'],
      'gen_ai.response.time_to_first_chunk': expect.any(Number) as number,
      'nestjs_agent.call.reason': 'step',
    });
    expect(traced.span('chat scripted').instrumentationScope).toMatchObject({
      name: 'nestjs-agent',
      version: expect.stringMatching(/^\d/) as string,
    });
  });

  it('of a streamed run', async () => {
    const { url } = await open({ steps: ['Hello!'] });
    await (await listen(url)).next('run.finished');
    expect(await settled()).toEqual([STREAM, '  invoke_agent agent', ANSWER]);
  });

  it('of calls of a route and of a provider', async () => {
    const { url } = await open({
      steps: [
        { toolCalls: [{ id: 'c1', name: 'get_order', input: { id: '7' } }] },
        { toolCalls: [{ id: 'c2', name: 'weather', input: { city: 'Bern' } }] },
        'Sunny.',
      ],
    });
    await chat(url);
    expect(await settled()).toEqual([
      CHAT,
      '  invoke_agent agent',
      ANSWER,
      '    execute_tool get_order',
      '      SERVER GET /orders/7',
      ANSWER,
      '    execute_tool weather',
      '      ask for Bern',
      ANSWER,
    ]);
    expect(traced.span('execute_tool get_order').attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'get_order',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'c1',
      'gen_ai.tool.description': 'Look up an order',
      'nestjs_agent.tool.kind': 'route',
      'nestjs_agent.tool.attempts': 1,
      'nestjs_agent.tool.approval': 'none',
      'nestjs_agent.tool.cached': false,
    });
  });

  it('of eight calls at once', async () => {
    const ids = ['1', '2', '3', '4', '5', '6', '7', '8'];
    const { url } = await open({
      steps: [
        { toolCalls: ids.map((id) => ({ id: `c${id}`, name: 'get_order', input: { id } })) },
        'Done.',
      ],
    });
    await chat(url);
    expect((await settled()).toSorted()).toEqual(
      [
        CHAT,
        '  invoke_agent agent',
        ANSWER,
        ANSWER,
        ...ids.flatMap((id) => ['    execute_tool get_order', `      SERVER GET /orders/${id}`]),
      ].toSorted(),
    );
    const ofCalls = new Map(
      traced.spans
        .filter(({ name }) => name.startsWith('execute_tool'))
        .map((span) => [span.spanContext().spanId, span.attributes['gen_ai.tool.call.id']]),
    );
    for (const { name, parentSpanContext: parent } of traced.spans) {
      const [, id] = /^GET \/orders\/(.)$/.exec(name) ?? [];
      if (id !== undefined) expect(ofCalls.get(parent?.spanId ?? '')).toBe(`c${id}`);
    }
  });

  it('of a run that waits for approval, linked from the one that goes on', async () => {
    const { url } = await open({
      steps: [{ toolCalls: [{ id: 'd1', name: 'remove_file', input: { name: 'a' } }] }, 'Removed.'],
    });
    const { runId } = await chat(url);
    expect(await settled()).toEqual([
      CHAT,
      '  invoke_agent agent (approval.required, parked)',
      ANSWER,
    ]);
    const waiting = traced.span('invoke_agent agent').spanContext();
    traced.clear();
    await act(url, runId, [{ callId: 'd1', type: 'approve' }]);
    expect(await settled()).toEqual([
      `SERVER POST /agent/runs/${runId}/actions`,
      '  invoke_agent agent (approval.answered, resumed)',
      '    execute_tool remove_file',
      ANSWER,
    ]);
    const resumed = traced.span('invoke_agent agent');
    expect(resumed.links.map((link) => link.context)).toMatchObject([
      { traceId: waiting.traceId, spanId: waiting.spanId },
    ]);
    expect(resumed.spanContext().traceId).not.toBe(waiting.traceId);
    expect(traced.span('execute_tool remove_file').attributes).toMatchObject({
      'nestjs_agent.tool.approval': 'approved',
    });
  });

  it('of a tool in the browser, which lasts until its result', async () => {
    const { url } = await open({ steps: [{ toolCalls: [{ id: 'b1', name: 'pick' }] }, 'Picked.'] });
    const stream = await listen(url, { message: 'pick', frontendTools: [PICK] });
    const { sessionId } = await stream.next('run.started');
    await stream.next('frontend.call');
    expect(traced.spans.map(({ name }) => name)).toEqual(['chat scripted']);
    const delivered = { sessionId, callId: 'b1', result: 'the red one' };
    await request(url).post('/agent/chat/tool-result').set(alice).send(delivered);
    await stream.next('run.finished');
    expect(await settled()).toEqual([
      STREAM,
      '  invoke_agent agent',
      ANSWER,
      '    execute_tool pick',
      ANSWER,
      'SERVER POST /agent/chat/tool-result',
    ]);
    expect(traced.span('execute_tool pick').attributes).toMatchObject({
      'gen_ai.tool.type': 'extension',
      'nestjs_agent.tool.kind': 'frontend',
    });
  });

  const never = new Promise<never>(() => undefined);

  it('of a run that its user cancels, which is no error', async () => {
    const { url } = await open({ steps: [[{ type: 'text.delta', delta: 'Well' }, never]] });
    const stream = await listen(url);
    const { runId } = await stream.next('run.started');
    await stream.next('text.delta');
    await request(url).delete(`/agent/runs/${runId}`).set(alice);
    await stream.next('run.finished');
    expect(await settled()).toEqual([
      STREAM,
      '  invoke_agent agent',
      ANSWER,
      `SERVER DELETE /agent/runs/${runId}`,
    ]);
    expect(traced.span('invoke_agent agent').attributes).toMatchObject({
      'nestjs_agent.status': 'cancelled',
    });
  });

  it('of a run whose client disconnects', async () => {
    const { url } = await open({ steps: [[{ type: 'text.delta', delta: 'Well' }, never]] });
    const stream = await listen(url);
    await stream.next('text.delta');
    stream.drop();
    expect(await settled()).toEqual([STREAM, '  invoke_agent agent', ANSWER]);
    expect(traced.span('invoke_agent agent').attributes).toMatchObject({
      'nestjs_agent.status': 'cancelled',
    });
  });

  it('of a run that outlives its client', async () => {
    const gate = new Barrier();
    const { url } = await open({
      onDisconnect: 'continue',
      steps: [
        [{ type: 'text.delta', delta: 'Well' }, gate, { type: 'finish', reason: 'end_turn' }],
      ],
    });
    const stream = await listen(url);
    await stream.next('text.delta');
    stream.drop();
    const isOver = () => traced.spans.some(({ name }) => name === STREAM.replace('SERVER ', ''));
    while (!isOver()) await new Promise(setImmediate);
    expect(traced.spans).toHaveLength(1);
    gate.open();
    expect(await settled()).toEqual([STREAM, '  invoke_agent agent', ANSWER]);
    const [server, run] = [traced.spans[0], traced.span('invoke_agent agent')];
    expect(run.attributes).toMatchObject({ 'nestjs_agent.status': 'completed' });
    expect(run.parentSpanContext?.spanId).toBe(server?.spanContext().spanId);
  });

  it('of a fallback, whose models have a span each', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(503, { 'content-type': 'application/json' }).end('{"error":{}}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const first = openai({
      model: 'busy',
      baseURL,
      api: 'chat',
      retry: { maxAttempts: 2, initialDelayMs: 1 },
    });
    const second = defineModel({ name: 'second', provider: 'mine', stream: () => 'Hello!' });
    const { url } = await open({ model: fallback([first, second]) });
    await chat(url);
    const lines = await settled();
    // The provider is in this process, and in no trace.
    expect(lines.filter((line) => !line.includes('/v1/'))).toEqual([
      CHAT,
      '  invoke_agent agent (fallback)',
      '    CLIENT chat busy !model_overloaded (retry)',
      '    CLIENT chat second (first_token)',
    ]);
    expect(traced.span('chat second').attributes['gen_ai.provider.name']).toBe('mine');
  });

  it('of a summary of the history', async () => {
    const counted = { inputTokens: 20, outputTokens: 1_980, totalTokens: 2_000 };
    const long = { text: 'All about rivers. '.repeat(400), usage: counted };
    const { url } = await open({
      steps: [long, 'A summary.', 'Fine.'],
      sessions: { compaction: { thresholdTokens: 1_500, keepRecentTokens: 200 } },
    });
    const { sessionId } = await chat(url);
    await settled();
    traced.clear();
    await chat(url, { message: 'And now?', sessionId });
    expect(await settled()).toEqual([CHAT, '  invoke_agent agent (compaction)', ANSWER, ANSWER]);
    const calls = traced.spans.filter(({ name }) => name === 'chat scripted');
    expect(
      calls.map(({ attributes }) => [
        attributes['nestjs_agent.call.reason'],
        attributes['gen_ai.conversation.compacted'],
      ]),
    ).toEqual([
      ['compaction', undefined],
      ['step', true],
    ]);
  });

  it('has an event, and no span, of a call that never ran', async () => {
    const { url } = await open({
      steps: [{ toolCalls: [{ name: 'CANARY_unheard_of' }] }, 'I cannot.'],
    });
    await chat(url);
    expect(await settled()).toEqual([CHAT, '  invoke_agent agent (tool.refused)', ANSWER, ANSWER]);
    const [event] = traced.span('invoke_agent agent').events;
    expect(event?.attributes).toMatchObject({
      'gen_ai.tool.name': '_OTHER',
      'error.type': 'not_found',
    });
  });

  it('are below the active span of whoever starts a run, or asks for a value', async () => {
    const { app } = await open({ steps: ['Hello!', '{"city":"Bern"}'] });
    const mine = trace.getTracer('theirs').startSpan('mine');
    const schema = { type: 'object', properties: { city: { type: 'string' } } } as const;
    await context.with(trace.setSpan(context.active(), mine), async () => {
      const agent = app.get(AgentService);
      await (
        await agent.start({ message: 'hi' }, {})
      ).finished;
      await agent.generate({ schema, prompt: 'Where?' });
    });
    mine.end();
    expect(await settled()).toEqual([
      'mine',
      '  invoke_agent agent',
      ANSWER,
      '  CLIENT chat scripted (first_token)',
    ]);
  });
});
