// The cost of a turn at each level, in one run: in memory, on PostgreSQL, with Redis, and through
// the queue, with one process as web process and worker. Needs PostgreSQL (DATABASE_URL) and Redis
// (REDIS_URL).
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import {
  AgentModule,
  AgentService,
  memoryStore,
  type AgentModuleOptions,
  type ChatModel,
  type ModelEvent,
  type SessionStore,
} from 'nestjs-agent';
import { bullmqRuns } from 'nestjs-agent/bullmq';
import { redisBus } from 'nestjs-agent/redis';
import { sqlStore } from 'nestjs-agent/sql';
import { median } from '../support/by-turns';
import { CountedPool, dropSchemas } from '../support/counted-pool';

const REDIS_URL = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';
const TURNS = 200;
const AT_ONCE = 20;
const ROUNDS = 5;
const WORDS = 40;
const id = process.pid;

/** Sends 40 words, without delay. */
const model: ChatModel = {
  name: 'quick',
  capabilities: { tools: true },
  async *stream(): AsyncGenerator<ModelEvent> {
    for (let word = 0; word < WORDS; word += 1) {
      yield await Promise.resolve({ type: 'text.delta', delta: ` word ${word}` } as const);
    }
    yield { type: 'finish', reason: 'end_turn' };
  },
};

interface Level extends Pick<AgentModuleOptions, 'bus' | 'runs'> {
  readonly name: string;
  readonly store: SessionStore;
  readonly cost?: CountedPool;
}

interface Measured {
  readonly perSecond: number;
  readonly cpuMs: number;
  /** Statements per turn, and how many of them write. */
  readonly statements: number;
  readonly writes: number;
}

async function boot({ name, store, cost, ...options }: Level) {
  const agent = AgentModule.forRoot({
    path: false,
    model,
    ...options,
    sessions: { store, compaction: false },
    audit: { record: () => undefined },
  });
  @Module({ imports: [agent] })
  class BenchModule {}
  const app = await NestFactory.createApplicationContext(BenchModule, { logger: false });
  return { name, app, cost, agent: app.get(AgentService), rounds: [] as Measured[] };
}

async function round(agent: AgentService, cost: CountedPool | undefined): Promise<Measured> {
  cost?.taken();
  const [begin, before] = [performance.now(), process.cpuUsage()];
  let left = TURNS;
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const { status } = await agent.chat({ message: 'What failed?' }, { principal: randomUUID() });
      if (status !== 'completed') throw new Error(`The run is ${status}.`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const { user, system } = process.cpuUsage(before);
  const { statements, writes } = cost?.taken() ?? { statements: 0, writes: 0 };
  return {
    statements: statements / TURNS,
    writes: writes / TURNS,
    perSecond: (TURNS / (performance.now() - begin)) * 1_000,
    cpuMs: (user + system) / 1_000 / TURNS,
  };
}

async function compare(levels: readonly Level[]): Promise<void> {
  const apps = [];
  for (const level of levels) apps.push(await boot(level));
  for (let count = 0; count <= ROUNDS; count += 1) {
    for (const { agent, cost, rounds } of apps) {
      const measured = await round(agent, cost);
      // The first one warms up.
      if (count > 0) rounds.push(measured);
    }
  }
  for (const { name, app, cost, rounds } of apps) {
    const cpuMs = median(rounds.map((each) => each.cpuMs));
    const perSecond = median(rounds.map((each) => each.perSecond));
    const statements = median(rounds.map((each) => each.statements));
    const writes = median(rounds.map((each) => each.writes));
    process.stdout.write(
      `${name.padEnd(24)} ${cpuMs.toFixed(2)} ms CPU a turn: ${(1_000 / cpuMs).toFixed(0)} turns/s per core of ours; ` +
        `${perSecond.toFixed(0)} turns/s beside the servers; ${statements.toFixed(2)} statements, ` +
        `${writes.toFixed(2)} of them write\n`,
    );
    await app.close();
    await cost?.pool.end();
  }
}

async function main(): Promise<void> {
  const schemas = ['pg', 'bus', 'queue'].map((name) => `agent_bench_${name}_${id}`);
  const [pg, bus, queue] = schemas.map((schema) => {
    const cost = new CountedPool();
    return { cost, store: sqlStore({ client: cost.pool, schema }) };
  });
  if (!pg || !bus || !queue) return;
  const { hostname: host, port } = new URL(REDIS_URL);
  const runs = bullmqRuns({
    connection: { host, port: Number(port || 6379) },
    prefix: `bench-${id}`,
    concurrency: 50,
    credentials: 'none',
  });
  const busOn = (name: string) => redisBus({ url: REDIS_URL, prefix: `bench-${name}-${id}` });
  process.stdout.write(`turns of ${WORDS} words, ${AT_ONCE} at a time, in new sessions:\n`);
  try {
    await compare([
      { name: 'memory', store: memoryStore() },
      { name: '1: PostgreSQL', ...pg },
      { name: '2: and Redis', ...bus, bus: busOn('bus') },
      { name: '3: and the queue', ...queue, bus: busOn('queue'), runs },
    ]);
  } finally {
    await dropSchemas(...schemas);
    const redis = new Redis(REDIS_URL);
    const keys = await redis.keys(`*bench-*${id}*`);
    if (keys.length > 0) await redis.del(...keys);
    redis.disconnect();
  }
}

void main();
