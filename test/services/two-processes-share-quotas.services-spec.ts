import request from 'supertest';
import type { AgentModuleOptions } from 'nestjs-agent';
import { sqlStore } from 'nestjs-agent/sql';
import { type AgentApp, Closers } from '../http/agent-app';
import { databaseUrl, dropSchema, newSchemaName } from './postgres';

type LimitOptions = NonNullable<AgentModuleOptions['limits']>;

const windowMs = 3_600_000;
/** A scripted call sends 10 tokens and receives 5. */
const prices = { scripted: { input: 100_000, output: 200_000 } };

describe('quotas of two applications on one PostgreSQL', () => {
  const schema = newSchemaName();
  const closers = new Closers();
  const stores: ReturnType<typeof sqlStore>[] = [];

  afterEach(async () => {
    await closers.close();
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await dropSchema(schema);
  });

  /** Each with connections of its own, as processes have. */
  function open(limits: LimitOptions): Promise<AgentApp> {
    const store = sqlStore({ connectionString: databaseUrl(), schema });
    stores.push(store);
    return closers.open({ limits, sessions: { store }, steps: ['one', 'two', 'three'] });
  }

  async function say({ url }: AgentApp, user = 'alice') {
    const sent = request(url)
      .post('/agent/chat')
      .set({ authorization: `Bearer ${user}` });
    const { status, body, headers } = await sent.send({ message: 'hi' });
    return { status, code: (body as { code?: string }).code, wait: headers['retry-after'] };
  }

  it.each<[what: string, limits: LimitOptions]>([
    ['tokens', { tokensPerPrincipal: { tokens: 30, windowMs } }],
    ['money', { costPerPrincipal: { max: 4, windowMs, prices } }],
  ])('count the %s that a principal spends at either', async (_what, limits) => {
    const first = await open(limits);
    const second = await open(limits);
    expect(await say(first)).toMatchObject({ status: 200 });
    expect(await say(second)).toMatchObject({ status: 200 });
    for (const app of [first, second]) {
      const { status, code, wait } = await say(app);
      expect({ status, code }).toEqual({ status: 429, code: 'quota_exceeded' });
      expect(Number(wait)).toBeGreaterThan(3_000);
    }
    expect([first.model.requests.length, second.model.requests.length]).toEqual([1, 1]);
    expect(await say(second, 'bob')).toMatchObject({ status: 200 });
    // A third one, which executed none of the runs, counts them too.
    expect(await say(await open(limits))).toMatchObject({ status: 429 });
  });
});
