import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { ChatResult } from 'nestjs-agent';
import { freePort } from '../support/free-port';
import { entryOf, Program } from '../support/demo/program';
import { RoundRobin } from '../support/processes/round-robin';
import { OwnRedis } from './redis/server';
import { databaseUrl, dropSchema, newSchemaName, runSql } from './postgres';

jest.setTimeout(300_000);

interface Compose {
  readonly services: Readonly<
    Record<string, { readonly environment?: Readonly<Record<string, string>> }>
  >;
}

const compose = parse(readFileSync(join(__dirname, '../../deploy/compose.yaml'), 'utf8'), {
  merge: true,
}) as Compose;

/** Containers do not run everywhere: the same processes with the same variables, without them. */
describe('the demo as deploy/compose.yaml starts it', () => {
  const schema = newSchemaName();
  const programs: Program[] = [];
  let redis: OwnRedis;
  let proxy: RoundRobin | undefined;

  const start = async (service: string): Promise<string> => {
    const port = await freePort();
    const url = new URL(databaseUrl());
    url.searchParams.set('options', `-c search_path=${schema}`);
    const program = Program.start(entryOf('demo'), [], {
      ...compose.services[service]?.environment,
      JWT_SECRET: 'tokens-of-these-tests',
      CLAIM_SECRET: 'claims-of-these-tests-with-32-characters',
      OPENAI_API_KEY: '',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: url.href,
      REDIS_URL: redis.url,
    });
    programs.push(program);
    await program.printed(String(port));
    return `http://127.0.0.1:${port}`;
  };

  beforeAll(async () => {
    redis = await OwnRedis.start();
    await runSql(`create schema ${schema}`);
    const webs = ['web-1', 'web-2'];
    const [urls] = await Promise.all([Promise.all(webs.map(start)), start('worker-1')]);
    proxy = await RoundRobin.open(urls);
  });
  afterAll(async () => {
    await proxy?.close();
    for (const program of programs) program.signal('SIGTERM');
    await Promise.all(programs.map((program) => program.ended()));
    await redis.remove();
    await dropSchema(schema);
  });

  const post = async <Answer>(path: string, body: object, token?: string): Promise<Answer> => {
    const response = await fetch(`${proxy?.url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Answer;
  };

  it('answers users through its workers, who become them', async () => {
    const logIn = { username: 'alice', password: 'alice-secret' };
    const { access_token: token } = await post<{ access_token: string }>('/auth/login', logIn);
    const answer = await post<ChatResult>(
      '/agent/chat',
      { message: 'list my applications' },
      token,
    );
    expect(answer).toMatchObject({ status: 'completed' });
    expect(answer.message).toContain('demo-app');
    expect(answer.message).not.toContain('api-gateway');
    const rows = await runSql<{ readonly count: string }>(
      `select count(*) from ${schema}.agent_entries as t where t::text like '%run.taken%'`,
    );
    expect(rows).toEqual([{ count: '1' }]);
  });

  it('has a console answer what another console is asked', async () => {
    const environment = {
      OPENAI_API_KEY: '',
      DATABASE_URL: databaseUrl(),
      REDIS_URL: redis.url,
    };
    const worker = Program.start(entryOf('console'), [], { ...environment, ROLE: 'worker' });
    programs.push(worker);
    await worker.printed('Waiting for runs.');
    const asker = Program.start(entryOf('console'), ['list my applications'], {
      ...environment,
      ROLE: 'web',
    });
    const { code, stdout } = await asker.ended();
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('demo-app') as string,
    });
    const rows = await runSql<{ readonly count: string }>(
      `select count(*) from console.agent_entries as t where t::text like '%run.taken%'`,
    );
    await dropSchema('console');
    expect(rows).toEqual([{ count: '1' }]);
  });
});
