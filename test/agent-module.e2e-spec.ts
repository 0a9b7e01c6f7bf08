import {
  Inject,
  Injectable,
  Module,
  type DynamicModule,
  type INestApplication,
} from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import {
  AGENT_MODEL,
  AgentModule,
  AgentService,
  AUDIT_SINK,
  memoryStore,
  SESSION_STORE,
  SessionService,
  ToolCallFactory,
  ToolRegistry,
  type AgentModuleOptions,
  type AuditRecord,
  type AuditSink,
  type ChatModel,
  type SessionStore,
} from 'nestjs-agent';
import { ScriptedModel } from 'nestjs-agent/testing';
import request from 'supertest';
import { ADAPTERS, MathTools } from './http/agent-app';

const adds = { toolCalls: [{ name: 'add', input: { a: 2, b: 40 } }] };

@Injectable()
class Settings {
  readonly name = 'configured';
}
@Module({ providers: [Settings], exports: [Settings] })
class SettingsModule {}

/** Whatever the agent's module exports, as another module's provider is given it. */
@Injectable()
class Consumer {
  constructor(
    readonly agent: AgentService,
    readonly sessions: SessionService,
    readonly registry: ToolRegistry,
    readonly calls: ToolCallFactory,
    @Inject(AGENT_MODEL) readonly model: ChatModel,
    @Inject(SESSION_STORE) readonly store: SessionStore,
    @Inject(AUDIT_SINK) readonly sink: AuditSink,
  ) {}
}
@Module({ providers: [Consumer] })
class ConsumerModule {}

describe.each(ADAPTERS)('the module on %s', (adapter) => {
  const apps: INestApplication[] = [];
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close();
  });

  const testing = (...imports: readonly (DynamicModule | (new () => object))[]) => {
    @Module({ imports: [...imports], providers: [MathTools] })
    class AppModule {}
    return Test.createTestingModule({ imports: [AppModule] });
  };
  const start = async (building: ReturnType<typeof testing>) => {
    const module = await building.compile();
    const app =
      adapter === 'fastify'
        ? module.createNestApplication(new FastifyAdapter(), { logger: false })
        : module.createNestApplication({ logger: false });
    apps.push(app);
    await app.listen(0, '127.0.0.1');
    return { app, client: request(await app.getUrl()) };
  };
  const agent = (options: AgentModuleOptions = {}) =>
    AgentModule.forRoot({ model: new ScriptedModel(['Hello.', 'Hello.']), ...options });
  const large = { message: 'hi', environmentContext: ['x'.repeat(200_000)] };

  it.each([
    ['agent/', '/agent'],
    ['//agent//v2/', '/agent/v2'],
    ['/', ''],
    [':tenant/agent', '/acme/agent'],
  ])('reads the bodies at the path %j itself', async (path, served) => {
    const { client } = await start(testing(agent({ path })));
    expect((await client.post(`${served}/chat`).send(large)).status).toBe(200);
    const broken = await client
      .post(`${served}/v1/chat/completions`)
      .set('Content-Type', 'application/json')
      .send('{');
    expect(broken.body).toMatchObject({ error: { code: 'invalid_request_error' } });
    expect((await client.get(`${served}/ui/page.js`)).status).toBe(200);
  });

  it('may be there twice, each agent with a path and limits of its own', async () => {
    const { client } = await start(
      testing(agent({ limits: { bodyBytes: 1_000 } }), agent({ name: 'other', path: 'other' })),
    );
    expect((await client.post('/agent/chat').send(large)).status).toBe(413);
    expect((await client.post('/other/chat').send(large)).status).toBe(200);
    const models = await client.get('/other/v1/models');
    expect(models.body).toMatchObject({ data: [{ id: 'other' }, { id: 'scripted' }] });
  });

  it.each([0, 1])('has limits of its own below the other one, too (%d)', async (first) => {
    const small = agent({ limits: { bodyBytes: 1_000 } });
    const wide = agent({ name: 'other', path: 'admin/agent' });
    const { client } = await start(testing(...(first === 0 ? [small, wide] : [wide, small])));
    expect((await client.post('/agent/chat').send(large)).status).toBe(413);
    expect((await client.post('/admin/agent/chat').send(large)).status).toBe(200);
  });

  it('starts and calls tools where a testing module makes up what is missing', async () => {
    const model = new ScriptedModel([adds, 'It is 42.']);
    const { client } = await start(testing(agent({ model })).useMocker(() => ({})));
    const { body } = await client.get('/agent/tools').expect(200);
    expect(body).toContainEqual(expect.objectContaining({ name: 'add' }));
    const { body: chat } = await client.post('/agent/chat').send({ message: 'add' }).expect(200);
    expect(chat).toMatchObject({ toolCalls: [{ name: 'add', output: '42', isError: false }] });
  });

  it('refuses two agents at one path', async () => {
    await expect(start(testing(agent(), agent({ path: '/agent/' })))).rejects.toThrow(
      'Two agents have the path "agent"',
    );
  });

  it('is one agent, however often the same module is imported', async () => {
    const once = agent();
    @Module({ imports: [once] })
    class FeatureModule {}
    const { client } = await start(testing(once, FeatureModule));
    expect((await client.post('/agent/chat').send({ message: 'hi' })).status).toBe(200);
  });

  it('stops the boot where only its class is imported, without options', async () => {
    const message =
      "AgentModule is imported without its options. Import AgentModule.forRoot() in the application's module instead, or, with isGlobal: false, the module that exports it.";
    await expect(start(testing(AgentModule))).rejects.toThrow(message);
    const local = agent({ isGlobal: false });
    await expect(start(testing(local, AgentModule))).rejects.toThrow(message);
    const { client } = await start(testing(AgentModule, agent()));
    expect((await client.post('/agent/chat').send({ message: 'hi' })).status).toBe(200);
  });

  it('gives its services to all modules, or to those alone that import it', async () => {
    const { app } = await start(testing(agent(), ConsumerModule));
    expect(app.get(Consumer, { strict: false }).agent).toBeInstanceOf(AgentService);
    await expect(start(testing(agent({ isGlobal: false }), ConsumerModule))).rejects.toThrow(
      /AgentService/,
    );
    const local = agent({ isGlobal: false });
    @Module({ imports: [local], providers: [Consumer] })
    class FeatureModule {}
    const { app: second } = await start(testing(FeatureModule));
    const { agent: service, model } = second.get(Consumer, { strict: false });
    expect(model.name).toBe('scripted');
    expect(await service.chat({ message: 'hi' })).toMatchObject({ message: 'Hello.' });
    @Module({ imports: [agent({ isGlobal: false })], exports: [AgentModule] })
    class SharedModule {}
    @Module({ imports: [SharedModule], providers: [Consumer] })
    class BesideModule {}
    const { app: third } = await start(testing(BesideModule));
    expect(third.get(Consumer, { strict: false }).agent).toBeInstanceOf(AgentService);
  });

  it('takes options from a factory, and classes with what they ask for', async () => {
    const records: AuditRecord[] = [];
    @Injectable()
    class Sink implements AuditSink {
      constructor(readonly settings: Settings) {}
      record(record: AuditRecord): void {
        records.push(record);
      }
    }
    const { client } = await start(
      testing(
        AgentModule.forRootAsync({
          imports: [SettingsModule],
          inject: [Settings, { token: 'nowhere', optional: true }],
          useFactory: async ({ name }: Settings, missing: unknown) => ({
            name: missing === undefined ? name : 'never',
            model: new ScriptedModel([adds, '42.']),
            audit: Sink,
          }),
          path: 'assistant',
        }),
      ),
    );
    const chat = await client.post('/assistant/chat').send({ message: 'add' });
    expect(chat.body).toMatchObject({ message: '42.' });
    expect(records).toMatchObject([{ tool: 'add' }]);
    const models = await client.get('/assistant/v1/models');
    expect(models.body).toMatchObject({ data: [{ id: 'configured' }, { id: 'scripted' }] });
  });

  it('has its model, store and sink replaced by tests', async () => {
    const store = memoryStore();
    const records: AuditRecord[] = [];
    const { client } = await start(
      testing(AgentModule.forRoot())
        .overrideProvider(AGENT_MODEL)
        .useValue(new ScriptedModel([adds, '42.']))
        .overrideProvider(SESSION_STORE)
        .useValue(store)
        .overrideProvider(AUDIT_SINK)
        .useValue({ record: (record: AuditRecord) => void records.push(record) }),
    );
    const chat = await client.post('/agent/chat').send({ message: 'add' });
    expect(chat.body).toMatchObject({ message: '42.' });
    expect(await store.count()).toBe(1);
    expect(records).toHaveLength(1);
  });
});
