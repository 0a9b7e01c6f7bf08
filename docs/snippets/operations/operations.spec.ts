import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import compression from 'compression';
import { AgentModule, type ChatResult, SESSION_STORE } from 'nestjs-agent';
import { sqlStore } from 'nestjs-agent/sql';
import { ScriptedModel } from 'nestjs-agent/testing';
import request from 'supertest';
import type { App } from 'supertest/types';
import { Program } from '../../../test/support/demo/program';
import { freePort, listening } from '../../../test/support/free-port';
import { guideRows } from '../../../test/support/guide-text';
import { shownJson } from '../../../test/support/shown-json';
import { ReadinessController } from './readiness.controller';

const read = (name: string) => readFileSync(join(__dirname, name), 'utf8');
const numbered = (text: string) => text.replace(/ [\d.]+$/gm, ' 1');

describe('the application of the guide to operations', () => {
  const server = new LLMock({ port: 0 });
  let program: Program | undefined;
  let url: string;
  beforeAll(async () => {
    await server.start();
    const call = { toolCalls: [{ name: 'list_orders', arguments: '{}' }] };
    server.on({ userMessage: 'my orders', hasToolResult: false }, call);
    server.on({ userMessage: 'my orders', hasToolResult: true }, { content: 'One was sent.' });
    server.on({ userMessage: 'hello' }, { content: 'Good morning.' });
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    program = Program.start(join(__dirname, 'main.ts'), [], {
      PORT: String(port),
      NO_COLOR: '1',
      OPENAI_BASE_URL: `${server.url}/v1`,
      OPENAI_API_KEY: 'test-key',
    });
    await program.printed('successfully started');
    await listening(port);
  }, 60_000);
  afterAll(async () => {
    await program?.stop();
    await server.stop();
  });

  const post = (path: string, message: string, user = 'ada') =>
    request(url).post(path).set('authorization', `Bearer ${user}`).send({ message });
  const logged = async (text: string) => {
    const lines = ((await program?.printed(text)) ?? '').split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as { context: string; message: string });
  };

  it('says that it is there, and that it is ready', async () => {
    const { body } = await request(url).get('/agent/health');
    expect(shownJson(body)).toEqual(shownJson(JSON.parse(read('health.json'))));
    await request(url).get('/ready').expect(200, { status: 'ok' });
  });

  it('counts calls and tokens, and writes each call to the log', async () => {
    const { body } = await post('/agent/chat', 'my orders');
    expect((body as ChatResult).message).toBe('One was sent.');
    const { text } = await request(url).get('/metrics');
    expect(numbered(text)).toBe(numbered(read('metrics.txt')));
    const line = (await logged('AgentAudit')).find(({ context }) => context === 'AgentAudit');
    const record = JSON.parse(line?.message ?? '{}') as Record<string, unknown>;
    const masked = (value: object) => shownJson({ ...value, at: '' });
    expect(masked(record)).toEqual(masked(JSON.parse(read('audit.json')) as object));
    expect(Date.parse(String(record.at))).not.toBeNaN();
  });

  it('refuses messages that are too long, and those that come too often, by user', async () => {
    const long = await post('/agent/chat', 'x'.repeat(4_001));
    expect(long.body).toMatchObject({ statusCode: 400, code: 'invalid_input' });
    const statuses = new Set<number>();
    for (let count = 0; count < 20; count += 1) {
      statuses.add((await post('/agent/chat', 'hello', 'grace')).status);
    }
    expect([...statuses]).toEqual([200]);
    const refused = await post('/agent/chat', 'hello', 'grace');
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBeDefined();
    expect((await post('/agent/chat', 'hello', 'ada')).status).toBe(200);
  });

  it('ends on SIGTERM', async () => {
    program?.signal('SIGTERM');
    expect(await program?.ended()).toMatchObject({ signal: 'SIGTERM' });
  });
});

describe('what the guide says besides', () => {
  let app: INestApplication<App> | undefined;
  afterEach(() => app?.close());

  it('readiness fails where the sessions cannot be reached', async () => {
    const store = sqlStore({
      connectionString: `postgres://ada@127.0.0.1:${await freePort()}/shop`,
    });
    const testing = await Test.createTestingModule({
      controllers: [ReadinessController],
      providers: [{ provide: SESSION_STORE, useValue: store }],
    }).compile();
    app = testing.createNestApplication<INestApplication<App>>({ logger: false });
    await app.init();
    await request(app.getHttpServer()).get('/ready').expect(503);
    await store.close?.();
  });

  it('names each context that the package logs in, and no other', () => {
    const source = join(__dirname, '../../../libs/agent/src');
    const logging = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
      .flatMap((name) => [
        ...readFileSync(join(source, name), 'utf8').matchAll(/new Logger\(([^)]+)\)/g),
      ])
      .map(([, context = '']) => context.replace('.name', '').replaceAll("'", ''))
      .map((context) => context.replace(/^`(\w+) \$\{.*$/, '$1')); // the name of a server follows
    const rows = guideRows('operations');
    const [from, to] = ['AgentAudit', 'CallRecorder'].map((of) =>
      rows.findIndex(([cell]) => cell === of),
    );
    const told = rows
      .slice(from, (to ?? 0) + 1)
      .flatMap(([cell = '']) => cell.match(/(?<=`)\w+(?=`)|^\w+$/g) ?? []);
    expect([...new Set(told)].toSorted()).toEqual([...new Set(logging)].toSorted());
  });

  it('streams tell proxies and middleware to leave them alone', async () => {
    const model = new ScriptedModel(['Good morning.']);
    const testing = await Test.createTestingModule({
      imports: [AgentModule.forRoot({ model })],
    }).compile();
    app = testing.createNestApplication<INestApplication<App>>({ logger: false });
    app.use(compression({ threshold: 0 }));
    await app.init();
    const { headers } = await request(app.getHttpServer())
      .post('/agent/chat/stream')
      .set('accept-encoding', 'gzip')
      .send({ message: 'hello' });
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(headers['content-encoding']).toBeUndefined();
  });
});
