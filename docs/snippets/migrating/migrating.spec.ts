import type { INestApplication, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { LLMock } from '@copilotkit/aimock';
import { type ChatResult, ToolRegistry } from 'nestjs-agent';
import request from 'supertest';
import type { App } from 'supertest/types';
import { AppModule } from './app.module';
import { ForeignTools } from './foreign.tools';
import { KeptModule } from './kept.module';
import { LoopModule } from './loop.module';

const server = new LLMock({ port: 0 });
const apps: INestApplication[] = [];

beforeAll(async () => {
  await server.start();
  process.env.OPENAI_BASE_URL = `${server.url}/v1`;
  process.env.OPENAI_API_KEY = 'test-key';
  script('where are my orders?', 'list_orders', '{}', 'One is on its way, one is open.');
  script('what is 3 kilos?', 'shipping_price', '{"kilos":3}', 'That is 10 euros.');
  script('cancel 19', 'cancel_order', '{"id":19}', 'It is cancelled.');
  script('cancel 18', 'cancel_order', '{"id":18}', 'There is no such order.');
  script('mumble', 'shipping_price', '{"kilos":', 'I could not find out.');
  script('three kilos', 'shipping_price', '{"kilos":"three"}', 'I could not find out.');
  script('track it', 'track_parcel', '{"code":"AB1234"}', 'It is in Ulm.');
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});
afterAll(async () => {
  delete process.env.OPENAI_BASE_URL;
  delete process.env.OPENAI_API_KEY;
  await server.stop();
});

/** What the model does on a message, whichever version asks it. */
function script(userMessage: string, name: string, args: string, content: string): void {
  const call = { toolCalls: [{ name, arguments: args }] };
  server.on({ userMessage, hasToolResult: false }, call);
  server.on({ userMessage, hasToolResult: true }, { content });
}

async function serve(module: Type<unknown>, ...providers: Type<unknown>[]): Promise<App> {
  const testing = await Test.createTestingModule({ imports: [module], providers }).compile();
  const app = testing.createNestApplication<INestApplication<App>>({ logger: false });
  apps.push(app);
  await app.init();
  return app.getHttpServer();
}

function ask(app: App, message: string, sessionId?: string) {
  const body = { message, ...(sessionId !== undefined && { sessionId }) };
  return request(app).post('/assistant').set('authorization', 'Bearer ada').send(body);
}

/** The result that the model received for its last call. */
function told(): string {
  const { messages } = server.getRequests().at(-1)?.body as { messages: { content: string }[] };
  return messages.at(-1)?.content ?? '';
}

describe.each([
  ['the loop', LoopModule],
  ['the switch without the loop', KeptModule],
  ['methods marked as tools', AppModule],
])('%s', (_, module) => {
  it('answers as the user who asks', async () => {
    const app = await serve(module);
    const { status, body } = await ask(app, 'where are my orders?');
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { answer: 'One is on its way, one is open.' },
    });
    expect(JSON.parse(told())).toEqual([
      { id: 17, customer: 'ada', status: 'sent' },
      { id: 19, customer: 'ada', status: 'open' },
    ]);
    const { body: second } = await ask(app, 'what is 3 kilos?');
    expect(second).toMatchObject({ answer: 'That is 10 euros.' });
    expect(JSON.parse(told())).toEqual({ euros: 10 });
  });

  it('refuses who is not logged in', async () => {
    const app = await serve(module);
    expect((await request(app).post('/assistant').send({ message: 'hello' })).status).toBe(403);
  });
});

describe('what is different', () => {
  it('arguments that are no JSON', async () => {
    expect((await ask(await serve(LoopModule), 'mumble')).status).toBe(500);
    expect((await ask(await serve(AppModule), 'mumble')).status).toBe(200);
    expect(told()).toBe('Error: Invalid arguments: are not valid JSON');
  });

  it('arguments of the wrong type', async () => {
    await ask(await serve(LoopModule), 'three kilos');
    expect(told()).toBe('{"euros":null}');
    await ask(await serve(AppModule), 'three kilos');
    expect(told()).toBe('Error: Invalid arguments: /kilos: must be number');
  });

  it('a method that throws', async () => {
    expect((await ask(await serve(LoopModule), 'cancel 18')).status).toBe(404);
    expect((await ask(await serve(KeptModule), 'cancel 18')).status).toBe(200);
    expect(told()).toBe('Error: There is no order 18.');
  });

  it('what writes', async () => {
    expect((await ask(await serve(LoopModule), 'cancel 19')).body).toEqual({
      answer: 'It is cancelled.',
    });
    expect(JSON.parse(told())).toMatchObject({ id: 19, status: 'cancelled' });
    const app = await serve(AppModule);
    const { runId, pendingActions } = (await ask(app, 'cancel 19')).body as ChatResult;
    expect(pendingActions).toMatchObject([
      { type: 'approval', name: 'cancel_order', input: { id: 19 } },
    ]);
    const callId = pendingActions[0]?.callId;
    const approved = await request(app)
      .post(`/agent/runs/${runId}/actions`)
      .set('authorization', 'Bearer ada')
      .send({ actions: [{ callId, type: 'approve' }] });
    expect(approved.body).toMatchObject({ status: 'completed', message: 'It is cancelled.' });
    expect(JSON.parse(told())).toMatchObject({ id: 19, status: 'cancelled' });
  });

  it('a second message', async () => {
    const app = await serve(AppModule);
    const { sessionId } = (await ask(app, 'where are my orders?')).body as ChatResult;
    await ask(app, 'what is 3 kilos?', sessionId);
    const sent = JSON.stringify(server.getRequests().at(-1)?.body);
    expect(sent).toContain('One is on its way, one is open.');
  });
});

it('takes tools over that were written for another framework', async () => {
  const app = await serve(AppModule, ForeignTools);
  expect((await ask(app, 'track it')).body).toMatchObject({ answer: 'It is in Ulm.' });
  expect(told()).toBe('Parcel AB1234 is in Ulm.');
  const registry = apps[0]?.get(ToolRegistry);
  expect(registry?.get('track_parcel')?.input_schema).toMatchObject({
    properties: { code: { type: 'string', pattern: '^[A-Z]{2}\\d{4}$' } },
    required: ['code'],
    additionalProperties: false,
  });
});
