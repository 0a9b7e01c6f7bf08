import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { Test } from '@nestjs/testing';
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { AgentHealth, AgentModule, AgentService, memoryBus } from 'nestjs-agent';
import { redisBus } from 'nestjs-agent/redis';
import { ScriptedModel } from 'nestjs-agent/testing';
import request from 'supertest';
import type { App } from 'supertest/types';
import { LATEST, V1_41 } from '../../../libs/agent/src/otel/conventions';
import { METRICS } from '../../../libs/agent/src/otel/names';
import { Program } from '../../../test/support/demo/program';
import { freePort, listening } from '../../../test/support/free-port';
import { OtlpCollector } from '../../../test/support/otel/otlp-collector';
import { guideRows } from '../../../test/support/guide-text';
import { telemetry } from './content';
import { HealthModule } from './health.controller';

describe('the application of the guide to observability', () => {
  it('sends its traces and metrics to a collector before it stops', async () => {
    const collector = await OtlpCollector.start();
    const server = new LLMock({ port: 0 });
    await server.start();
    const call = { toolCalls: [{ name: 'today', arguments: '{}' }] };
    server.on({ userMessage: 'what day', hasToolResult: false }, call);
    server.on({ userMessage: 'what day', hasToolResult: true }, { content: 'Monday.' });
    const port = await freePort();
    const program = Program.start(join(__dirname, 'main.ts'), [], {
      PORT: String(port),
      OPENAI_BASE_URL: `${server.url}/v1`,
      OPENAI_API_KEY: 'test-key',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'shop',
    });
    try {
      await listening(port);
      const chat = request(`http://127.0.0.1:${port}`).post('/agent/chat');
      const { body } = await chat.send({ message: 'what day is it?' });
      expect(body).toMatchObject({ status: 'completed', message: 'Monday.' });
      program.signal('SIGTERM');
      await program.ended();
      const { traces, metrics } = collector;
      const names = ['"invoke_agent agent"', 'chat gpt', 'execute_tool today', 'POST'];
      for (const name of names) expect(traces).toContain(name);
      expect(metrics).toContain('gen_ai.invoke_agent.duration');
      expect(traces).toContain('{"key":"service.name","value":{"stringValue":"shop"}}');
      expect(traces).not.toContain('what day is it?');
    } finally {
      program.signal('SIGKILL');
      await program.ended();
      await server.stop();
      collector.stop();
    }
  });
});

describe('what the guide says besides', () => {
  it('lists every metric of both conventions, and no other', () => {
    const { chunks, tokens } = LATEST;
    const names = [
      ...Object.values(METRICS),
      LATEST.inferenceDuration,
      ...Object.values(chunks ?? {}),
      ...(tokens.as === 'counters'
        ? Object.values(tokens).filter((name) => name !== 'counters')
        : []),
      V1_41.inferenceDuration,
      ...(V1_41.tokens.as === 'histogram' ? [V1_41.tokens.usage] : []),
    ];
    const listed = guideRows('observability').flatMap(
      ([cell = '']) => cell.match(/\b(?:gen_ai|nestjs_agent)\.[\w.]*\w/g) ?? [],
    );
    expect(listed.toSorted()).toEqual(names.toSorted());
  });

  it('redacts content, and hashes the user', async () => {
    const exporter = new InMemorySpanExporter();
    const spanProcessors = [new SimpleSpanProcessor(exporter)];
    trace.setGlobalTracerProvider(new NodeTracerProvider({ spanProcessors }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const model = new ScriptedModel(['Your card is 1234 5678 1234 5678.']);
    const module = await Test.createTestingModule({
      imports: [AgentModule.forRoot({ model, path: false, telemetry })],
    }).compile();
    await module.init();
    await module.get(AgentService).chat({ message: 'hi' }, { principal: 'ada' });
    await module.close();
    const chat = exporter.getFinishedSpans().find(({ name }) => name === 'chat scripted');
    expect(chat?.attributes['gen_ai.output.messages']).toContain('Your card is [card].');
    expect(chat?.attributes['user.id']).toMatch(/^[0-9a-f]{64}$/);
    trace.disable();
    context.disable();
  });

  it('passes the health of an agent on to Terminus', async () => {
    const redis = redisBus({ url: `redis://agent:canary@127.0.0.1:${await freePort()}` });
    const bus = memoryBus();
    const signal = jest.spyOn(bus, 'signal');
    const module = await Test.createTestingModule({
      imports: [AgentModule.forRoot({ model: new ScriptedModel([]), bus }), HealthModule],
    }).compile();
    const app = module.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');
    const ready = () => request(app.getHttpServer() as App).get('/ready');
    const up = { status: 'up' };
    const whole = { status: 'up', store: up, bus: up, model: { status: 'not asked' } };
    const well = { status: 'ok', info: { agent: whole }, error: {}, details: { agent: whole } };
    expect((await ready().expect(200)).body).toEqual(well);
    signal.mockImplementation((...of) => redis.signal(...of));
    const agent = JSON.parse(readFileSync(join(__dirname, 'health.json'), 'utf8')) as object;
    expect(await app.get(AgentHealth).check()).toEqual(agent);
    const ill = { status: 'error', info: {}, error: { agent }, details: { agent } };
    expect((await ready().expect(503)).body).toEqual(ill);
    await redis.close?.();
    await app.close();
  });
});
