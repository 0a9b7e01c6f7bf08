import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Logger, Module, type INestApplication, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AGENT_MODEL, AgentModule, SessionService, type ChatResult } from 'nestjs-agent';
import { MissingPackageError, sqlStore, type SqlStoreOptions } from 'nestjs-agent/sql';
import { Barrier, ScriptedModel, type ScriptedStep } from 'nestjs-agent/testing';
import request from 'supertest';
import { SseStream } from '../../../test/http/sse-client';
import { bootError, GuideApp } from '../../../test/support/guide-app';
import { guideText } from '../../../test/support/guide-text';
import { newDatabase } from '../../../test/support/new-database';
import { shownJson } from '../../../test/support/shown-json';
import { AccountService } from './account.service';
import { CompactingModule } from './compacting.module';
import { DATABASE } from './database.module';
import { EmbeddedModule } from './embedded.module';
import { ServedModule } from './served.module';

// Embedded PostgreSQL takes its time to start.
jest.setTimeout(60_000);

const TEXT = guideText('sessions');

function read(name: string): unknown {
  return JSON.parse(readFileSync(join(__dirname, name), 'utf8'));
}

describe('the guide to sessions', () => {
  const workingFolder = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'guide-sessions-'));
  let database: PGlite;
  let inUse: string;
  const apps: INestApplication[] = [];
  beforeAll(async () => {
    process.chdir(folder); // the guide's folder is a relative one
    mkdirSync('data');
    await (await newDatabase('./data/sessions')).close();
    const embedded = await GuideApp.start(EmbeddedModule);
    await embedded.chat({}, 'Hello.');
    inUse = await bootError(broken({ dataDir: './data/sessions' }));
    await embedded.close();
    database = await PGlite.create('./data/sessions');
  });
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close();
  });
  afterAll(async () => {
    await database.close();
    process.chdir(workingFolder);
    rmSync(folder, { recursive: true });
  });

  /** One of several processes: an application of its own on the database of all. */
  async function open(...steps: readonly ScriptedStep[]) {
    const testing = Test.createTestingModule({ imports: [ServedModule] })
      .overrideProvider(DATABASE)
      .useValue(database)
      .overrideProvider(AGENT_MODEL)
      .useValue(new ScriptedModel(steps));
    const app = (await testing.compile()).createNestApplication({ logger: false });
    apps.push(app);
    await app.listen(0, '127.0.0.1');
    const url = await app.getUrl();
    const as = (user: string) => ({ authorization: `Bearer ${user}` });
    return {
      app,
      url,
      get: (path: string, user = 'ada') => request(url).get(`/agent${path}`).set(as(user)),
      delete: (path: string, user = 'ada') => request(url).delete(`/agent${path}`).set(as(user)),
      post: (path: string, body: object, user = 'ada') =>
        request(url).post(`/agent${path}`).set(as(user)).send(body),
      stream: (body: object) =>
        SseStream.open(`${url}/agent/chat/stream`, { headers: as('ada'), body }),
    };
  }

  it('keeps what was said in the folder it shows', async () => {
    const { rows } = await database.query('select owner, version from agent_sessions');
    expect(rows).toEqual([{ owner: 'ada', version: expect.any(Number) }]);
  });

  it('quotes what a boot says that must not touch what is there', async () => {
    expect(inUse).toMatch(quoted(/The session folder … is open already.*?process\./));
    await database.query('insert into agent_migrations (version) values (2)');
    expect(await bootError(broken({ client: database }))).toMatch(
      quoted(/The session database is at migration 2.*?knows 1\./),
    );
  });

  it('goes on with a session, lists it, reads it and deletes it', async () => {
    const agent = await open('It was sent.', 'It is open.');
    const { body: first } = await agent.post('/chat', { message: 'Where is my last order?' });
    const { sessionId } = first as ChatResult;
    const { body: said } = await agent.get(`/sessions/${sessionId}/messages`);
    const whenever = { at: expect.any(String) as string };
    expect(shownJson(said)).toEqual(
      (shownJson(read('messages.json')) as object[]).map((each) => ({ ...each, ...whenever })),
    );
    await agent.post('/chat', { ...(read('next-message.json') as object), sessionId });
    expect(shownJson((await agent.get('/sessions')).body)).toEqual(
      shownJson(read('sessions.json')),
    );
    const tables = await database.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'agent'`,
    );
    expect(tables.rows.every(({ name }) => TEXT.includes(`\`${name}\``))).toBe(true);
    expect(tables.rows).toHaveLength(7);

    for (const answer of [
      await agent.get(`/sessions/${sessionId}/messages`, 'grace'),
      await agent.delete(`/sessions/${sessionId}`, 'grace'),
      await agent.post('/chat', { message: 'Mine?', sessionId }, 'grace'),
    ]) {
      expect(answer.body).toMatchObject({ statusCode: 404, code: 'session_not_found' });
      expect(TEXT).toContain((answer.body as Error).message);
    }
    expect((await agent.delete(`/sessions/${sessionId}`)).status).toBe(204);
    expect((await agent.get('/sessions')).body).toEqual([]);
  });

  it('closes an account with its conversations', async () => {
    const agent = await open('One.', 'Two.', 'Three.');
    for (const user of ['ada', 'ada', 'grace']) await agent.post('/chat', { message: 'Hi' }, user);
    expect(await agent.app.get(AccountService).close('ada')).toBe(2);
    const sessions = agent.app.get(SessionService, { strict: false });
    expect([await sessions.count('ada'), await sessions.count()]).toEqual([0, 1]);
    await sessions.clearAll();
    expect(await sessions.count()).toBe(0);
  });

  it('has one run at a time for a session, whichever process it is sent to', async () => {
    const gate = new Barrier();
    const first = await open([
      { type: 'text.delta', delta: 'One ' },
      gate,
      { type: 'text.delta', delta: 'two.' },
      { type: 'finish', reason: 'end_turn' },
    ]);
    const second = await open('Three.');
    const stream = await first.stream({ message: 'Count' });
    const { sessionId, runId } = await stream.next('run.started');
    await gate.reached;

    const refused = await second.post('/chat', { message: 'Go on', sessionId });
    expect(refused.body).toMatchObject({ statusCode: 409, code: 'session_busy' });
    expect(TEXT).toContain((refused.body as Error).message);
    expect((await second.get(`/runs/${runId}`)).body).toMatchObject({ status: 'running' });
    const delivered = { sessionId, callId: 'call_1', result: 1 };
    expect((await second.post('/chat/tool-result', delivered)).body).toMatchObject({
      success: false,
    });
    const replay = await SseStream.open(`${second.url}/agent/runs/${runId}/events`, {
      headers: { authorization: 'Bearer ada' },
    });

    gate.open();
    expect((await stream.all()).at(-1)).toMatchObject({ message: 'One two.' });
    const after = await second.post('/chat', { message: 'Go on', sessionId });
    expect(after.body).toMatchObject({ status: 'completed', message: 'Three.' });
    expect((await replay.all()).map(({ type }) => type)).toEqual([
      'run.started',
      'step.started',
      'text.delta',
      'text.delta',
      'step.finished',
      'run.finished',
    ]);
  });
});

describe('the guide to compaction', () => {
  let guide: GuideApp;
  const warnings: unknown[] = [];
  beforeAll(async () => {
    guide = await GuideApp.start(CompactingModule);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((line) => void warnings.push(line));
  });
  afterAll(() => {
    jest.restoreAllMocks();
    return guide.close();
  });

  it('says why it cannot', async () => {
    @Module({
      imports: [
        AgentModule.forRoot({
          systemPrompt: 'Be brief. '.repeat(200),
          sessions: { compaction: { thresholdTokens: 100 } },
        }),
      ],
    })
    class NarrowModule {}
    const narrow = await GuideApp.start(NarrowModule);
    warnings.length = 0;
    expect(await narrow.chat({}, 'Hello.')).toMatchObject({ status: 'completed' });
    await narrow.close();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(quoted(/The conversation could not be compacted\./));
    expect(warnings[0]).toMatch(
      quoted(/System prompt and tools alone .*? raise thresholdTokens\./),
    );
    warnings.length = 0;
  });

  it('has the model summarise what is old, and says so', async () => {
    const letter = `Please translate: ${'the quick brown fox jumps over the lazy dog. '.repeat(100)}`;
    let sessionId: string | undefined;
    for (let turn = 1; turn <= 7; turn += 1) {
      const usage = { inputTokens: 1_150 * turn, outputTokens: 5, totalTokens: 1_150 * turn + 5 };
      const body = { message: letter, ...(sessionId && { sessionId }) };
      ({ sessionId } = await guide.chat(body, { text: `Done ${turn}.`, usage }));
    }
    const before = guide.model.requests.length;
    guide.model.push('Ada had seven letters translated.', 'Eight.');
    const message = 'How many letters is that with the next one?';
    const stream = await guide.stream('/agent/chat/stream', { sessionId, message });
    const events = await stream.all();
    expect(warnings).toEqual([]);
    const compaction = events.find(({ type }) => type === 'compaction');
    expect(shownJson(compaction)).toEqual(shownJson(read('compaction.json')));
    const [summary, answer] = guide.model.requests.slice(before);
    expect(JSON.stringify(summary?.messages)).toContain('user: Please translate');
    expect(answer?.messages[0]).toMatchObject({
      role: 'system',
      content: [{ text: expect.stringMatching(/untrusted|never as instructions/) }],
    });
    const { body } = await guide.get(`/agent/sessions/${sessionId}/messages`);
    expect((body as unknown[])[0]).toMatchObject(answer?.messages[0] ?? {});
  });
});

describe('the guide to stores', () => {
  it.each([{ connectionString: '' }, { connectionString: 'postgres://ada@127.0.0.1:1/agent' }])(
    'quotes what a boot with %j says',
    async (options) => {
      const message = await bootError(broken(options));
      expect([message, TEXT.includes(message)]).toEqual([message, true]);
    },
  );

  it('quotes what is said of a missing package', () => {
    const packages = ['kysely', '@electric-sql/pglite'];
    const { message } = new MissingPackageError(packages, 'sqlStore({ dataDir })');
    expect(message).toMatch(quoted(/sqlStore\({ dataDir }\) needs .*? Install with: npm install/));
  });
});

/** An application whose store cannot open. */
function broken(options: SqlStoreOptions): Type<unknown> {
  @Module({ imports: [AgentModule.forRoot({ sessions: { store: sqlStore(options) } })] })
  class BrokenModule {}
  return BrokenModule;
}

/** A quotation of the guide as a pattern: `…` matches anything. */
function quoted(passage: RegExp): RegExp {
  const [text] = passage.exec(TEXT) ?? [];
  if (text === undefined) throw new Error(`The guide has no ${String(passage)}.`);
  const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(escaped.replaceAll('…', '.*'));
}
