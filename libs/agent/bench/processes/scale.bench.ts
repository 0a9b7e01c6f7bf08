// Several processes: the delay of an event from another process, the memory of a run in Redis, and
// the cost of a bus per turn. Needs PostgreSQL (DATABASE_URL) and Redis (REDIS_URL).
import 'reflect-metadata';
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import {
  AgentModule,
  AgentService,
  memoryStore,
  type RunBus,
  type SessionStore,
} from 'nestjs-agent';
import type { ChatModel, ModelEvent } from 'nestjs-agent';
import { redisBus } from 'nestjs-agent/redis';
import { sqlStore } from 'nestjs-agent/sql';
import { Client } from 'pg';
import { median } from '../support/by-turns';

const REDIS_URL = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';
const STREAMS = 1_000;
const SECONDS = 10;
const TURNS = 200;
const AT_ONCE = 20;
const ROUNDS = 3;
const WORDS = 40;

const print = (line: string): unknown => process.stdout.write(`${line}\n`);

const percentile = (sorted: readonly number[], part: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(0);

/** Events of runs in another process; each contains the time at which it was sent. */
async function lag(eventsPerSecond: number): Promise<void> {
  const prefix = `bench-${randomUUID()}`;
  const bus = redisBus({ url: REDIS_URL, prefix });
  await bus.connect?.();
  const settings = { url: REDIS_URL, prefix, streams: STREAMS, seconds: SECONDS, eventsPerSecond };
  const sender = fork(join(__dirname, 'stream-sender.ts'), [JSON.stringify(settings)], {
    execArgv: ['--require', join(__dirname, '../../../../test/support/typescript-hook.cjs')],
  });
  await once(sender, 'message');
  const lags: number[] = [];
  let lost = 0;
  const read = async (index: number): Promise<void> => {
    let last = 0;
    for await (const event of bus.follow(`run-${index}`, 0) ?? []) {
      last = event.seq;
      if (event.type === 'text.delta')
        lags.push(performance.timeOrigin + performance.now() - Number(event.delta));
    }
    if (last !== eventsPerSecond * SECONDS) lost += 1;
  };
  const reading = Promise.all(Array.from({ length: STREAMS }, (_, index) => read(index)));
  const ended = once(sender, 'message') as Promise<[{ readonly cpuMs: number }]>;
  sender.send('go');
  await reading;
  const [{ cpuMs }] = await ended;
  await bus.close?.();
  lags.sort((a, b) => a - b);
  const [p50, p99] = [percentile(lags, 0.5), percentile(lags, 0.99)];
  print(
    `${STREAMS} streams × ${eventsPerSecond} events/s: lag p50 ${p50} ms, p99 ${p99} ms; ` +
      `${lags.length} events, ${lost} readers fell back; sender's CPU ${((cpuMs / SECONDS) * 0.1).toFixed(0)} %`,
  );
}

async function bytesPerRun(): Promise<void> {
  const prefix = `bench-${randomUUID()}`;
  const bus = redisBus({ url: REDIS_URL, prefix });
  const client = new Redis(REDIS_URL);
  await bus.connect?.();
  const runId = `run_${'x'.repeat(24)}`;
  const channel = bus.open({ runId, lastSeq: 0, leaseToken: 1, onSignal: () => undefined });
  channel.publish(
    Array.from({ length: 100 }, (_, index) => ({
      type: 'text.delta',
      delta: ' demo-app failed',
      runId,
      seq: index + 1,
    })),
  );
  const keys = [`${prefix}:{${runId}}:ev`, `${prefix}:{${runId}}:at`];
  while ((await client.hget(keys[1] ?? '', 'last')) !== '100') continue;
  const sizes = await Promise.all(keys.map((key) => client.memory('USAGE', key)));
  const bytes = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  print(`a run of 100 events: ${(bytes / 1_000).toFixed(1)} kB in Redis`);
  channel.close();
  await bus.close?.();
  client.disconnect();
}

/** Sends 40 words, without delay. */
class QuickModel implements ChatModel {
  readonly name = 'quick';
  readonly capabilities = { tools: true };

  async *stream(): AsyncGenerator<ModelEvent> {
    for (let word = 0; word < WORDS; word += 1) {
      yield await Promise.resolve({ type: 'text.delta', delta: ` word ${word}` } as const);
    }
    yield { type: 'finish', reason: 'end_turn' };
  }
}

interface Level {
  readonly name: string;
  readonly store: SessionStore;
  readonly bus?: RunBus;
}

async function turns(levels: readonly Level[]): Promise<void> {
  const apps = await Promise.all(
    levels.map(async ({ name, store, bus }) => {
      @Module({
        imports: [
          AgentModule.forRoot({
            path: false,
            model: new QuickModel(),
            ...(bus && { bus }),
            sessions: { store, compaction: false },
            audit: { record: () => undefined },
          }),
        ],
      })
      class BenchModule {}
      const app = await NestFactory.createApplicationContext(BenchModule, { logger: false });
      return {
        name,
        app,
        agent: app.get(AgentService),
        rates: [] as number[],
        cpu: [] as number[],
      };
    }),
  );
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { agent, rates, cpu } of apps) {
      const [begin, before] = [performance.now(), process.cpuUsage()];
      let left = TURNS;
      const work = async (): Promise<void> => {
        while (left-- > 0)
          await agent.chat({ message: 'What failed?' }, { principal: randomUUID() });
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      const { user, system } = process.cpuUsage(before);
      // The first round warms up.
      if (round === 0) continue;
      rates.push((TURNS / (performance.now() - begin)) * 1_000);
      cpu.push((user + system) / 1_000 / TURNS);
    }
  }
  for (const { name, app, rates, cpu } of apps) {
    print(`${name}: ${median(rates).toFixed(0)} turns/s, ${median(cpu).toFixed(2)} ms CPU each`);
    await app.close();
  }
}

async function main(): Promise<void> {
  const url = new URL(process.env.DATABASE_URL ?? 'postgres://127.0.0.1:5432/test');
  if (url.username === '') url.username = process.env.PGUSER ?? userInfo().username;
  const schemas = ['a', 'b'].map((name) => `agent_bench_${name}_${process.pid}`);
  const storeIn = (schema = ''): SessionStore => sqlStore({ connectionString: url.href, schema });
  print(`turns of ${WORDS} words, ${AT_ONCE} at a time, in new sessions:`);
  await turns([
    { name: 'memory', store: memoryStore() },
    { name: 'PostgreSQL', store: storeIn(schemas[0]) },
    {
      name: 'PostgreSQL and Redis',
      store: storeIn(schemas[1]),
      bus: redisBus({ url: REDIS_URL, prefix: `bench-${randomUUID()}` }),
    },
  ]);
  const client = new Client({ connectionString: url.href });
  await client.connect();
  for (const schema of schemas) await client.query(`drop schema if exists ${schema} cascade`);
  await client.end();
  await bytesPerRun();
  for (const eventsPerSecond of [5, 10, 20]) await lag(eventsPerSecond);
}

void main();
