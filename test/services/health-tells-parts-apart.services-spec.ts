import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AgentHealth, AgentModule } from 'nestjs-agent';
import type { AgentHealthState } from 'nestjs-agent/types';
import { bullmqRuns, type BullmqRunsOptions } from 'nestjs-agent/bullmq';
import { redisBus } from 'nestjs-agent/redis';
import { sqlStore } from 'nestjs-agent/sql';
import { ScriptedModel } from 'nestjs-agent/testing';
import { databaseUrl, dropSchema, newSchemaName } from './postgres';
import { CuttableLine } from './queue/cuttable-line';
import { OwnRedis } from './queue/own-redis';

const PASSWORD = 'canary-of-the-password';
const UP = { status: 'up' };
const ALL_UP = { status: 'up', store: UP, bus: UP, queue: UP, model: { status: 'not asked' } };

type Part = 'store' | 'bus' | 'queue';

describe.each(['redis', 'postgres'] as const)('AgentHealth, with a queue on %s', (backend) => {
  const schema = newSchemaName();
  let redis: OwnRedis;
  let app: INestApplicationContext;
  let lines: Readonly<Record<Part, CuttableLine>>;

  /** The tests' database, with a password and through a proxy. */
  const throughLine = (line: CuttableLine): string => {
    const url = new URL(databaseUrl());
    url.password = PASSWORD;
    url.host = `127.0.0.1:${line.port}`;
    return url.href;
  };

  const queueOptions = ({ port }: CuttableLine): BullmqRunsOptions =>
    backend === 'redis'
      ? { connection: { port, password: PASSWORD }, credentials: 'none' }
      : {
          backend,
          connection: { connectionString: throughLine(lines.queue), schema: `${schema}_jobs` },
          credentials: 'none',
        };

  beforeAll(async () => {
    redis = await OwnRedis.start();
    await redis.ask('CONFIG', 'SET', 'requirepass', PASSWORD);
    const { hostname, port } = new URL(databaseUrl());
    const toDatabase = () => CuttableLine.to(hostname, Number(port || 5432));
    const toRedis = () => CuttableLine.to('127.0.0.1', redis.port);
    lines = {
      store: await toDatabase(),
      bus: await toRedis(),
      queue: backend === 'redis' ? await toRedis() : await toDatabase(),
    };
    @Module({
      imports: [
        AgentModule.forRoot({
          path: false,
          model: new ScriptedModel([]),
          sessions: { store: sqlStore({ connectionString: throughLine(lines.store), schema }) },
          bus: redisBus({ url: `redis://:${PASSWORD}@127.0.0.1:${lines.bus.port}` }),
          runs: bullmqRuns({ role: 'web', ...queueOptions(lines.queue) }),
        }),
      ],
    })
    class AppModule {}
    app = await NestFactory.createApplicationContext(AppModule, { logger: false });
    await app.init();
  });
  afterAll(async () => {
    for (const line of Object.values(lines)) line.mend();
    await app.close();
    await Promise.all(Object.values(lines).map((line) => line.close()));
    await redis.kill();
    for (const name of [schema, `${schema}_jobs`]) await dropSchema(name);
  });

  const health = (): Promise<AgentHealthState> => app.get(AgentHealth).check();

  /** Resolves when all connections are restored. */
  async function allUp(): Promise<AgentHealthState> {
    for (;;) {
      const state = await health();
      if (state.status === 'up') return state;
      await delay(20);
    }
  }

  const messages: Readonly<Record<Part, RegExp>> = {
    store: /^The session database cannot be reached/,
    bus: /^Redis cannot be reached\.$/,
    queue: /^The queue of runs at 127\.0\.0\.1:\d+ cannot be reached/,
  };

  it.each(['store', 'bus', 'queue'] as const)('says that the %s alone is down', async (part) => {
    expect(await allUp()).toEqual(ALL_UP);
    lines[part].cut();
    const state = await health();
    const message = expect.stringMatching(messages[part]);
    expect(state).toEqual({ ...ALL_UP, status: 'down', [part]: { status: 'down', message } });
    expect(JSON.stringify(state)).not.toContain(PASSWORD);
    expect(JSON.stringify(state)).not.toContain('://');
    lines[part].mend();
    expect(await allUp()).toEqual(ALL_UP);
  });

  it('says that all are down', async () => {
    for (const line of Object.values(lines)) line.cut();
    const down = { status: 'down', message: expect.any(String) };
    expect(await health()).toEqual({
      ...{ status: 'down', store: down, bus: down, queue: down },
      model: { status: 'not asked' },
    });
    for (const line of Object.values(lines)) line.mend();
    await allUp();
  });
});
