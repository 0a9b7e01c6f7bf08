import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, Server, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Get, Injectable, Logger, Param, Req } from '@nestjs/common';
import {
  AgentService,
  defineModel,
  fallback,
  ModelError,
  openai,
  Tool,
  ToolParam,
  type AgentTelemetry,
  type ChatResult,
} from 'nestjs-agent';
import request from 'supertest';
import { Closers, ON_FASTIFY } from './http/agent-app';
import { TelemetryRecorder } from './support/telemetry-recorder';

const alice = { authorization: 'Bearer alice' };

/** What the routes saw: the trace headers, and the async context of whoever called. */
const seen: { traceparent?: unknown; baggage?: unknown; other?: unknown; inside: unknown }[] = [];
const context = new AsyncLocalStorage<string>();

@Controller('orders')
class OrdersController {
  @Tool({ name: 'get_order', description: 'Look up an order' })
  @Get(':id')
  find(@Param('id') id: string, @Req() { headers }: { headers: Record<string, unknown> }) {
    const { traceparent, baggage, 'x-other': other } = headers;
    seen.push({ traceparent, baggage, other, inside: context.getStore() });
    return { id };
  }
}

let recorder: TelemetryRecorder;
/** What was around the provider tool while it ran. */
let aroundTool: unknown;

@Injectable()
class WeatherTools {
  @Tool({ description: 'Say how the weather is', readOnly: true })
  async weather(@ToolParam('city') city: string): Promise<string> {
    await new Promise(setImmediate);
    aroundTool = recorder.active?.info['tool'];
    return `sunny in ${city}`;
  }

  @Tool({ description: 'Say the secret', readOnly: true })
  secret(@ToolParam('city') city: string, key: string): string {
    return `${city} ${key.length}`;
  }
}

describe.each(ON_FASTIFY)('telemetry, on %s', (adapter) => {
  const apps = new Closers();
  const servers: Server[] = [];
  beforeEach(() => {
    recorder = new TelemetryRecorder();
    seen.length = 0;
    aroundTool = undefined;
  });
  afterEach(async () => {
    await apps.close();
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  const open = (options: Parameters<Closers['open']>[0] = {}) =>
    apps.open({
      adapter,
      telemetry: recorder,
      presets: { secret: { key: 'CANARY-preset' } },
      controllers: [OrdersController],
      providers: [WeatherTools],
      ...options,
    });

  const chat = async (url: string, message = 'hi'): Promise<ChatResult> => {
    const { body } = await request(url).post('/agent/chat').set(alice).send({ message });
    return body as ChatResult;
  };

  it('shows a plain run', async () => {
    const { url } = await open({ steps: ['Hello!'] });
    const { runId, sessionId, usage } = await chat(url);
    expect(recorder.lines).toEqual([
      'run start scripted: completed',
      '  step 1 start: completed',
      '    modelCall step scripted 1: completed',
      '      ! first_token',
    ]);
    const origin = { agent: 'agent', runId, sessionId, principal: 'alice' };
    for (const { info } of recorder.all) expect(info).toMatchObject(origin);
    expect(recorder.find('run')[0]).toMatchObject({
      info: { provider: 'custom' },
      end: { status: 'completed', stopReason: 'end_turn', usage },
    });
    expect(recorder.find('modelCall')[0]).toMatchObject({
      info: { provider: 'custom', maxTokens: 4_096 },
      end: { finishReason: 'end_turn', usage },
    });
  });

  it('shows a route and a provider tool side by side, and what never ran', async () => {
    const { url } = await open({
      steps: [
        {
          toolCalls: [
            { name: 'get_order', input: { id: '7' } },
            { name: 'weather', input: { city: 'Bern' } },
            { name: 'weather', input: {} },
            { name: 'no_such' },
          ],
        },
        'Done.',
      ],
    });
    await chat(url);
    expect(recorder.lines).toEqual([
      'run start scripted: completed',
      '  step 1 start: completed',
      '    modelCall step scripted 1: completed',
      '      ! first_token',
      '    ! tool.refused no_such error not_found',
      '    ! tool.refused weather error invalid_arguments',
      '    toolCall get_order call: executed',
      '      dispatch get_order: completed',
      '    toolCall weather call: executed',
      '  step 2 start: completed',
      '    modelCall step scripted 1: completed',
      '      ! first_token',
    ]);
    expect(aroundTool).toBe('weather');
    expect(recorder.find('toolCall').map(({ info }) => info['kind'])).toEqual([
      'route',
      'provider',
    ]);
    expect(recorder.find('dispatch')[0]).toMatchObject({
      info: { method: 'GET', isRemote: false },
      end: { httpStatus: 200 },
    });
  });

  it('shows a run that waits for approval, and goes on', async () => {
    const { url } = await open({
      steps: [{ toolCalls: [{ name: 'remove_file', input: { name: 'a' } }] }, 'Removed.'],
    });
    const { runId, sessionId, pendingActions } = await chat(url);
    expect(recorder.lines).toEqual([
      'run start scripted: requires_action',
      '  step 1 start: completed',
      '    modelCall step scripted 1: completed',
      '      ! first_token',
      '    ! approval.required remove_file',
      '    ! parked approval',
    ]);
    recorder.clear();
    const actions = [{ callId: pendingActions[0]?.callId, type: 'approve' }];
    await request(url).post(`/agent/runs/${runId}/actions`).set(alice).send({ actions });
    expect(recorder.lines).toEqual([
      'run resume scripted: completed',
      '  ! approval.answered remove_file approve',
      '  ! resumed',
      '  step 1 resume: completed',
      '    toolCall remove_file approved: executed',
      '  step 2 start: completed',
      '    modelCall step scripted 1: completed',
      '      ! first_token',
    ]);
    expect(recorder.find('run')[0]?.info).toMatchObject({ runId, sessionId });
  });

  it('shows a call that was declined', async () => {
    const { url } = await open({
      steps: [{ toolCalls: [{ name: 'remove_file', input: { name: 'a' } }] }, 'As you like.'],
    });
    const { runId, pendingActions } = await chat(url);
    recorder.clear();
    const actions = [{ callId: pendingActions[0]?.callId, type: 'reject' }];
    await request(url).post(`/agent/runs/${runId}/actions`).set(alice).send({ actions });
    expect(recorder.lines.slice(0, 4)).toEqual([
      '! tool.refused remove_file declined declined',
      'run resume scripted: completed',
      '  ! approval.answered remove_file reject',
      '  ! resumed',
    ]);
    expect(recorder.find('toolCall')).toEqual([]);
  });

  it("shows a browser's tool when its result is there", async () => {
    const { url } = await open({
      steps: [{ toolCalls: [{ id: 'b1', name: 'pick' }] }, 'Picked.'],
    });
    const frontendTools = [
      { name: 'pick', description: 'Pick one', input_schema: { type: 'object' } },
    ];
    const asked = await request(url)
      .post('/agent/chat')
      .set(alice)
      .send({ message: 'pick', frontendTools });
    const { runId } = asked.body as ChatResult;
    expect(recorder.find('toolCall')).toEqual([]);
    recorder.clear();
    const actions = [{ callId: 'b1', type: 'result', result: 'the red one' }];
    await request(url)
      .post(`/agent/runs/${runId}/actions`)
      .set(alice)
      .send({ actions, frontendTools });
    expect(recorder.find('toolCall')).toMatchObject([
      { info: { tool: 'pick', callId: 'b1', reason: 'delivered' }, end: { status: 'executed' } },
    ]);
    expect(recorder.lines.join()).not.toContain('tool.refused');
  });

  it('tells the attempts of a failing model, and its fallback, apart', async () => {
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
    expect(recorder.lines).toEqual([
      'run start busy: completed',
      '  step 1 start: completed',
      '    modelCall step busy 1: failed model_overloaded',
      '      ! retry 1 model_overloaded',
      '    ! fallback busy second model_overloaded',
      '    modelCall fallback second 2: completed',
      '      ! first_token',
    ]);
    expect(recorder.find('modelCall')[1]?.info).toMatchObject({ provider: 'mine' });
  });

  it('shows a run that fails, and why', async () => {
    const { url } = await open({ steps: [new ModelError('model_rate_limited', 'Busy.')] });
    await chat(url);
    expect(recorder.lines).toEqual([
      'run start scripted: failed model_rate_limited',
      '  step 1 start: failed model_rate_limited',
      '    modelCall step scripted 1: failed model_rate_limited',
    ]);
  });

  it('shows what generate asks, outside of runs', async () => {
    const { app } = await open({ steps: ['no JSON', '{"city":"Bern"}'] });
    const schema = { type: 'object', properties: { city: { type: 'string' } } } as const;
    await app.get(AgentService).generate({ schema, prompt: 'Where?' });
    expect(recorder.lines).toEqual([
      'modelCall generate scripted 1: completed',
      '  ! first_token',
      'modelCall generate scripted 2: completed',
      '  ! first_token',
    ]);
  });

  describe('whatever a hook does', () => {
    const STEPS = [
      { toolCalls: [{ name: 'get_order', input: { id: '7' } }] },
      'It is on its way.',
    ] as const;
    const forever = new Promise<never>(() => undefined);
    const every = (hook: (info: object, go?: () => unknown) => unknown) =>
      ({
        run: hook,
        step: hook,
        modelCall: hook,
        toolCall: hook,
        dispatch: hook,
        event: hook,
      }) as AgentTelemetry;
    const fail = () => {
      throw new Error('The collector is away.');
    };

    it.each<[string, (info: object, go?: () => unknown) => unknown]>([
      ['throws', fail],
      ['throws once it has begun', (_info, go) => (void go?.(), fail())],
      ['rejects', (_info, go) => Promise.resolve(go?.()).then(fail)],
      ['never calls go', () => undefined],
      ['calls go twice', (_info, go) => (void go?.(), go?.())],
      ['calls go too late', async (_info, go) => (await new Promise(setImmediate), go?.())],
      ['waits for ever before', async (_info, go) => (await forever, go?.())],
      ['waits for ever after', async (_info, go) => (await go?.(), await forever)],
    ])('runs stay the same: it %s', async (_what, hook) => {
      const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation();
      const { url, model } = await open({ telemetry: every(hook), steps: STEPS });
      for (const steps of [[], STEPS]) {
        model.push(...steps);
        const { status, message, toolCalls } = await chat(url);
        expect({ status, message }).toEqual({ status: 'completed', message: STEPS[1] });
        expect(toolCalls).toMatchObject([{ name: 'get_order', isError: false }]);
      }
      expect(seen).toHaveLength(2);
      model.assertComplete();
      const logged = errors.mock.calls.map(([message]) => String(message));
      errors.mockRestore();
      const told = logged.filter((line) => line.includes('telemetry hook'));
      expect(new Set(told).size).toBe(told.length);
      expect(told.length > 0).toBe(/throws|rejects/.test(_what));
    });
  });

  it('has exactly one request under each of 50 route calls, in the trace of its own', async () => {
    // As tracing sees servers.
    const served: (string | undefined)[] = [];
    const emit = Server.prototype.emit;
    Server.prototype.emit = function (this: Server, event: string, ...values: unknown[]) {
      const [incoming] = values as [IncomingMessage];
      if (event === 'request') served.push(incoming.headers.traceparent as string | undefined);
      return (emit as (...args: unknown[]) => boolean).call(this, event, ...values);
    } as typeof emit;
    const { dispatch } = recorder;
    const traced: AgentTelemetry = Object.assign(recorder, {
      dispatch: ((info, go) => {
        info.headers.traceparent = `trace-${info.callId}`;
        Object.assign(info.headers, { baggage: 'line\nbreak', 'x-other': 'no' });
        return dispatch(info, go);
      }) satisfies AgentTelemetry['dispatch'],
    });
    try {
      const ids = Array.from({ length: 50 }, (_, index) => `c${index}`);
      const { url } = await open({
        telemetry: traced,
        steps: [
          { toolCalls: ids.map((id) => ({ id, name: 'get_order', input: { id } })) },
          'Done.',
        ],
      });
      await context.run('chat', () =>
        request(url)
          .post('/agent/chat')
          .set({ ...alice, traceparent: 'the-chat', tracestate: 'chat=1', baggage: 'chat=1' })
          .send({ message: 'all' }),
      );
      const calls = recorder.find('toolCall');
      expect(calls).toHaveLength(50);
      for (const { info, children } of calls) {
        expect(children).toMatchObject([{ hook: 'dispatch', info: { callId: info['callId'] } }]);
      }
      expect(served.sort()).toEqual(['the-chat', ...ids.map((id) => `trace-${id}`)].sort());
      expect(seen).toHaveLength(50);
      for (const { baggage, other, inside } of seen) {
        expect({ baggage, other, inside }).toEqual({});
      }
      expect(recorder.isOver).toBe(true);
    } finally {
      Server.prototype.emit = emit;
    }
  });

  it('sends the trace to a real address as well, in place of the chat request’s', async () => {
    const headers: IncomingMessage['headers'][] = [];
    const remote = createServer((incoming, response) => {
      headers.push(incoming.headers);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve));
    servers.push(remote);
    const baseUrl = `http://127.0.0.1:${(remote.address() as AddressInfo).port}`;
    const telemetry: AgentTelemetry = {
      dispatch: (info, go) => {
        if (info.isRemote) info.headers.traceparent = 'the-tool';
        return go();
      },
    };
    for (const each of [telemetry, { event: () => undefined }]) {
      const { url } = await open({
        telemetry: each,
        dispatch: { baseUrl },
        forwardHeaders: [/^trace/],
        steps: [{ toolCalls: [{ name: 'get_order', input: { id: '1' } }] }, 'Done.'],
      });
      await request(url)
        .post('/agent/chat')
        .set({ ...alice, traceparent: 'the-chat', tracestate: 'chat=1' })
        .send({ message: 'one' });
    }
    expect(headers.map(({ traceparent, tracestate }) => [traceparent, tracestate])).toEqual([
      ['the-tool', undefined],
      ['the-chat', 'chat=1'],
    ]);
  });

  it('tells no hook of headers, cookies or preset values', async () => {
    const { url } = await open({
      forwardHeaders: ['x-canary'],
      steps: [
        {
          toolCalls: [
            { name: 'secret', input: { city: 'Bern' } },
            { name: 'get_order', input: { id: '7' } },
            { name: 'remove_file', input: { name: 'a' } },
          ],
        },
      ],
    });
    await request(url)
      .post('/agent/chat')
      .set({ ...alice, cookie: 'sid=CANARY-cookie', 'x-canary': 'CANARY-header' })
      .send({ message: 'all' });
    expect(recorder.find('toolCall').map(({ end }) => end?.['status'])).toEqual([
      'executed',
      'executed',
    ]);
    const told = JSON.stringify(recorder.roots);
    expect(told).toContain('secret');
    expect(told).not.toMatch(/CANARY|Bearer/);
  });
});
