// The cost of the queue between web processes and workers, on Redis and on PostgreSQL: time from
// `add` to the worker's call, jobs a second, and bytes per waiting job; then whole runs, from `add`
// to the worker's first event at the process that accepted the message. REDIS_PORT and DATABASE_URL
// locate the servers.
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { performance } from 'node:perf_hooks';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { AgentModule, AgentService, type ChatModel, type RunQueue } from 'nestjs-agent';
import { bullmqRuns, type BullmqRunsOptions } from 'nestjs-agent/bullmq';
import { redisBus } from 'nestjs-agent/redis';
import { sqlStore } from 'nestjs-agent/sql';
import type { RunJob } from 'nestjs-agent/types';

const SAMPLES = 300;
const JOBS = 2_000;
/** The number of users who wait for a run at a time. */
const LANES = 50;
const WAITING = 1_000;
/** A claim of some 300 bytes, encrypted. */
const SEALED = 'x'.repeat(400);
const LOCK_MS = 15_000;
const schema = `agent_bench_${process.pid}`;
const prefix = `bench-${process.pid}`;

function newJob(): RunJob {
  return { v: 1, runId: randomUUID(), sessionId: randomUUID(), attempt: 1, sealed: SEALED };
}

function quantile(values: readonly number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)} ms`.padStart(9);
}

/** Two processes' queues: one adds, the other one works. */
async function measure(
  name: string,
  options: BullmqRunsOptions,
  stored: () => Promise<number>,
): Promise<void> {
  const web = bullmqRuns({ ...options, prefix, role: 'web' });
  const worker = bullmqRuns({ ...options, prefix, role: 'worker' });
  try {
    await web.open();
    await worker.open();
    await compare(name, web, worker, stored);
  } finally {
    await worker.drain();
    await worker.close();
    await web.close();
  }
}

async function compare(
  name: string,
  web: RunQueue,
  worker: RunQueue,
  stored: () => Promise<number>,
): Promise<void> {
  const before = await stored();
  const waiting = Array.from({ length: WAITING }, newJob);
  for (const [index, job] of waiting.entries()) await web.add(job, index % 8);
  const perJob = Math.round(((await stored()) - before) / WAITING);
  const asked = performance.now();
  await web.missing(waiting);
  const missing = performance.now() - asked;
  for (const job of waiting) await web.remove(job);

  const started = new Map<string, (at: number) => void>();
  worker.start({
    lockMs: LOCK_MS,
    work: ({ runId }) => {
      started.get(runId)?.(performance.now());
      return Promise.resolve(undefined);
    },
  });
  const once = async (queue: RunQueue): Promise<number> => {
    const job = newJob();
    const arrival = new Promise<number>((resolve) => started.set(job.runId, resolve));
    const since = performance.now();
    await queue.add(job, 0);
    return (await arrival) - since;
  };
  for (let index = 0; index < 20; index++) await once(web);
  const delays: number[] = [];
  for (let index = 0; index < SAMPLES; index++) delays.push(await once(web));
  const since = performance.now();
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (let index = 0; index < JOBS / LANES; index++) await once(web);
    }),
  );
  const perSecond = Math.round((JOBS / (performance.now() - since)) * 1_000);

  process.stdout.write(`${name}\n`);
  process.stdout.write(`  add to work, p50      ${quantile(delays, 0.5)}   (bound 5 ms)\n`);
  process.stdout.write(`  add to work, p95      ${quantile(delays, 0.95)}\n`);
  process.stdout.write(`  jobs a second         ${String(perSecond).padStart(9)}\n`);
  process.stdout.write(`  bytes per waiting job ${String(perJob).padStart(9)}\n`);
  process.stdout.write(`  missing() of ${WAITING}     ${missing.toFixed(1).padStart(6)} ms\n`);
}

async function onRedis(): Promise<void> {
  const connection = { host: '127.0.0.1', port: Number(process.env['REDIS_PORT'] ?? 6379) };
  const client = new Redis(connection);
  const stored = async (): Promise<number> =>
    Number(/used_memory_dataset:(\d+)/.exec(await client.info('memory'))?.[1]);
  try {
    await measure('Redis', { connection }, stored);
  } finally {
    const keys = await client.keys(`{${prefix}}:*`);
    if (keys.length > 0) await client.del(...keys);
    client.disconnect();
  }
}

async function onPostgres(): Promise<void> {
  const url = new URL(process.env['DATABASE_URL'] ?? 'postgres://127.0.0.1:5432/test');
  url.username ||= process.env['PGUSER'] ?? userInfo().username;
  const connectionString = url.href;
  const client = new Client({ connectionString });
  await client.connect();
  const stored = async (): Promise<number> => {
    const { rows } = await client.query<{ readonly bytes: string }>(
      `select coalesce(sum(pg_total_relation_size(oid)), 0) as bytes from pg_class
       where relnamespace = to_regnamespace($1) and relkind = 'r'`,
      [schema],
    );
    return Number(rows[0]?.bytes);
  };
  const connection = { connectionString, schema };
  try {
    await measure('PostgreSQL', { backend: 'postgres', connection }, stored);
    const { rows } = await client.query<{ readonly events: string }>(
      `select count(*) as events from ${schema}.event`,
    );
    process.stdout.write(`  rows of events left   ${String(rows[0]?.events).padStart(9)}\n`);
  } finally {
    await client.query(`drop schema if exists ${schema} cascade`);
    await client.end();
  }
}

const greeting: ChatModel = {
  name: 'greeting',
  capabilities: { tools: true },
  async *stream() {
    yield { type: 'text.delta', delta: 'Hi.' };
    yield await Promise.resolve({ type: 'finish', reason: 'end_turn' } as const);
  },
};

/** Two applications with one store, bus and queue: one accepts messages, the other one executes runs. */
async function wholeRuns(): Promise<void> {
  const port = Number(process.env['REDIS_PORT'] ?? 6379);
  const url = new URL(process.env['DATABASE_URL'] ?? 'postgres://127.0.0.1:5432/test');
  url.username ||= process.env['PGUSER'] ?? userInfo().username;
  let addedAt = 0;
  const boot = async (role: 'web' | 'worker') => {
    const runs = bullmqRuns({ connection: { port }, prefix, role, credentials: 'none' });
    const add = runs.add.bind(runs);
    Object.assign(runs, {
      add: (...job: Parameters<typeof add>) => {
        addedAt = performance.now();
        return add(...job);
      },
    });
    const agent = AgentModule.forRoot({
      path: false,
      model: greeting,
      runs,
      bus: redisBus({ url: `redis://127.0.0.1:${port}`, prefix }),
      sessions: { store: sqlStore({ connectionString: url.href, schema }) },
    });
    class AppModule {}
    return NestFactory.createApplicationContext(
      { module: AppModule, imports: [agent] },
      { logger: false },
    );
  };
  const web = await boot('web');
  const worker = await boot('worker');
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    const delays: number[] = [];
    for (let index = 0; index < SAMPLES; index++) {
      const run = await web.get(AgentService).start({ message: 'hi' }, { principal: 'alice' });
      for await (const { type } of run.events()) {
        if (type !== 'step.started') continue;
        if (index >= 20) delays.push(performance.now() - addedAt);
      }
      await run.finished;
    }
    process.stdout.write('Whole runs, Redis and PostgreSQL\n');
    process.stdout.write(`  add to event, p50     ${quantile(delays, 0.5)}   (bound 15 ms)\n`);
    process.stdout.write(`  add to event, p95     ${quantile(delays, 0.95)}\n`);
  } finally {
    await worker.close();
    await web.close();
    await client.query(`drop schema if exists ${schema} cascade`);
    await client.end();
    const redis = new Redis({ port });
    const keys = await redis.keys(`*${prefix}*`);
    if (keys.length > 0) await redis.del(...keys);
    redis.disconnect();
  }
}

async function main(): Promise<void> {
  await onRedis();
  await onPostgres();
  await wholeRuns();
}

void main();
