import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  AgentModule,
  AgentService,
  memoryBus,
  type RunBus,
  SessionService,
  type SessionStore,
} from 'nestjs-agent';
import { sqlStore } from 'nestjs-agent/sql';
import { Barrier, ScriptedModel } from 'nestjs-agent/testing';
import { Pool, type PoolClient } from 'pg';
import { databaseUrl, dropSchema, newSchemaName } from './postgres';

const OWNER = { principal: 'alice' };

/** The statements that a store sent to its database. */
class Cost {
  statements: string[] = [];
  bytes = 0;

  get commits(): number {
    return this.statements.filter((text) => /^\s*(with|insert|update|delete)\b/i.test(text)).length;
  }

  forget(): void {
    this.statements = [];
    this.bytes = 0;
  }
}

type Query = (text: string, values: unknown[]) => Promise<{ readonly rows: unknown[] }>;

function countedPool(cost: Cost): Pool {
  const pool = new Pool({ connectionString: databaseUrl() });
  pool.on('connect', (client: PoolClient) => {
    const query = client.query.bind(client) as unknown as Query;
    const counted: Query = async (text, values) => {
      cost.statements.push(text);
      const result = await query(text, values);
      cost.bytes += JSON.stringify(result.rows).length;
      return result;
    };
    Object.assign(client, { query: counted });
  });
  return pool;
}

describe('a turn on a served PostgreSQL', () => {
  const schema = newSchemaName();
  const opened: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close();
  });
  afterAll(() => dropSchema(schema));

  /** A process with a store of its own, whose statements are counted. */
  async function process(model: ScriptedModel, bus?: RunBus) {
    const cost = new Cost();
    const pool = countedPool(cost);
    opened.push(() => pool.end());
    const store = sqlStore({ client: pool, schema });
    const app = await application(store, model, bus);
    opened.push(() => app.close());
    return { cost, store, agent: app.get(AgentService), sessions: app.get(SessionService) };
  }

  it('takes five statements, of which three write, and only two to begin a session', async () => {
    const model = new ScriptedModel(['One.', 'Two.', 'Three.']);
    const { agent, cost } = await process(model);
    cost.forget();
    const { sessionId } = await agent.chat({ message: 'one' }, OWNER);
    expect(cost.statements).toHaveLength(2);
    expect(cost.commits).toBe(2);
    cost.forget();
    await agent.chat({ message: 'two', sessionId }, OWNER);
    expect(cost.statements.length).toBeLessThanOrEqual(5);
    expect(cost.commits).toBe(3);
    const elsewhere = await process(model);
    elsewhere.cost.forget();
    await elsewhere.agent.chat({ message: 'three', sessionId }, OWNER);
    expect(elsewhere.cost.statements).toHaveLength(5);
    expect(elsewhere.cost.commits).toBe(3);
  });

  it('is stopped elsewhere with three statements there and two here, of which three write', async () => {
    const speaking = new Barrier();
    const model = new ScriptedModel([[{ type: 'text.delta', delta: 'One ' }, speaking]]);
    const bus = memoryBus();
    const [here, elsewhere] = [await process(model, bus), await process(model, bus)];
    const run = await here.agent.start({ message: 'one' }, OWNER);
    await speaking.reached;
    for (const { cost } of [here, elsewhere]) cost.forget();
    expect(await elsewhere.agent.cancel(run.runId, OWNER)).toMatchObject({
      status: 'cancelled',
      message: 'One ',
    });
    expect(elsewhere.cost.statements).toHaveLength(3);
    expect(elsewhere.cost.commits).toBe(1);
    expect(here.cost.statements).toHaveLength(2);
    expect(here.cost.commits).toBe(2);
  });

  it('reads no more the longer the conversation is', async () => {
    const text = 'What applications do I have? '.repeat(10);
    const turns = 200;
    const model = new ScriptedModel(Array.from({ length: turns }, () => text));
    const { agent, cost } = await process(model);
    const read: number[] = [];
    let sessionId: string | undefined;
    for (let turn = 0; turn < turns; turn += 1) {
      cost.forget();
      const input = { message: text, ...(sessionId !== undefined && { sessionId }) };
      ({ sessionId } = await agent.chat(input, OWNER));
      read.push(cost.bytes);
    }
    const [early = 0, late = 0] = [read[5], read.at(-1)];
    expect(late).toBeLessThan(early * 1.1);
  });

  it('is listed with a statement for each page, whatever the sessions hold', async () => {
    const model = new ScriptedModel(Array.from({ length: 60 }, () => 'Fine.'));
    const { agent, cost, sessions } = await process(model);
    const principal = 'bob';
    for (let index = 0; index < 60; index += 1) {
      await agent.chat({ message: `Question ${index}` }, { principal });
    }
    cost.forget();
    const listed = await sessions.list(principal, { limit: 50 });
    expect(listed).toHaveLength(50);
    expect(listed[0]).toMatchObject({ title: 'Question 59', run: { status: 'completed' } });
    expect(cost.statements).toHaveLength(1);
    expect(cost.bytes).toBeLessThan(50 * 500);
  });
});

async function application(
  store: SessionStore,
  model: ScriptedModel,
  bus?: RunBus,
): Promise<INestApplicationContext> {
  @Module({
    imports: [
      AgentModule.forRoot({
        path: false,
        model,
        ...(bus && { bus }),
        sessions: { store, compaction: false },
        audit: { record: () => undefined },
      }),
    ],
  })
  class AppModule {}
  return NestFactory.createApplicationContext(AppModule, { logger: false });
}
