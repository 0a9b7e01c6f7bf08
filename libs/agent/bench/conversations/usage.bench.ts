// The cost of the usage ledger: a turn with and without a token limit, and sums over many rows. CPU
// of this process, and of PostgreSQL's if it runs on the same machine; no wall time.
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  AgentModule,
  AgentService,
  type ChatModel,
  memoryStore,
  type SessionStore,
  UsageService,
} from 'nestjs-agent';
import { sqlStore } from 'nestjs-agent/sql';
import { Pool, type PoolClient } from 'pg';
import { medianWithin, measuredByTurns, quantile } from '../support/by-turns';

const TURNS = 10;
const ROUNDS = Number(process.env['ROUNDS'] ?? 100);
const WARM_UP = 30;
const OWNERS = 1_000;
const AGENTS = 10;
const MODELS = 10;
const SUMS = 10;

const USAGE = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
const SPENT = {
  usage: { ...USAGE, cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
  runs: 1,
  toolCalls: 1,
};
const LIMIT = { tokens: 1_000_000_000, windowMs: 3_600_000 };

const model: ChatModel = {
  name: 'brief',
  capabilities: { tools: true },
  // oxlint-disable-next-line typescript/require-await -- a stream
  async *stream() {
    yield { type: 'text.delta', delta: 'Yes.' };
    yield { type: 'finish', reason: 'end_turn', usage: USAGE };
  },
};

/** PostgreSQL, through one connection whose statements are counted. */
class CountedServer {
  statements = 0;
  readonly schema = `bench_${randomUUID().replaceAll('-', '')}`;
  readonly pool: Pool;
  private backend = 0;

  constructor(connectionString: string) {
    this.pool = new Pool({ connectionString, max: 1 });
    this.pool.on('connect', (client: PoolClient & { readonly processID?: number }) => {
      this.backend = client.processID ?? 0;
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      const counted = (...args: unknown[]): unknown => {
        this.statements += 1;
        return query(...args);
      };
      Object.assign(client, { query: counted });
    });
  }

  /** Microseconds of CPU that the server has spent on the connection; on Linux only. */
  get micros(): number {
    try {
      return Number(readFileSync(`/proc/${this.backend}/schedstat`, 'utf8').split(' ')[0]) / 1_000;
    } catch {
      return Number.NaN;
    }
  }

  async remove(): Promise<void> {
    await this.pool.query(`drop schema "${this.schema}" cascade`);
    await this.pool.end();
  }
}

async function open(store: SessionStore, limits: object): Promise<INestApplicationContext> {
  @Module({ imports: [AgentModule.forRoot({ path: false, model, sessions: { store }, limits })] })
  class BenchModule {}
  return NestFactory.createApplicationContext(BenchModule, { logger: false });
}

/** A turn in a session of its own, with and without the limit. */
async function measureTurns(storeOf: () => SessionStore, server?: CountedServer): Promise<void> {
  const counts = new Map<string, { statements: number; micros: number[] }>();
  const apps: INestApplicationContext[] = [];
  const variants = await Promise.all(
    [
      ['no limit', {}] as const,
      ['no limit, again', {}] as const,
      ['tokensPerPrincipal', { tokensPerPrincipal: LIMIT }] as const,
    ].map(async ([name, limits]) => {
      const store = storeOf();
      const app = await open(store, limits);
      apps.push(app);
      const agent = app.get(AgentService);
      const count = { statements: 0, micros: [] as number[] };
      counts.set(name, count);
      const work = async (): Promise<void> => {
        const [statements, micros] = [server?.statements ?? 0, server?.micros ?? Number.NaN];
        for (let turn = 0; turn < TURNS; turn += 1) {
          await agent.chat({ message: 'Well?' }, { principal: 'alice' });
        }
        count.statements = ((server?.statements ?? 0) - statements) / TURNS;
        count.micros.push(((server?.micros ?? Number.NaN) - micros) / TURNS);
      };
      return { name, work, clear: () => (server ? undefined : store.deleteAll()) };
    }),
  );
  const figures = await measuredByTurns(variants, {
    rounds: ROUNDS,
    warmUp: WARM_UP,
    times: TURNS,
  });
  const [none = []] = figures;
  for (const [index, { name }] of variants.entries()) {
    const own = figures[index] ?? [];
    const added = own.map((value, round) => value - (none[round] ?? Number.NaN));
    const [low, high] = medianWithin(added).map((value) => value.toFixed(0));
    const { statements = 0, micros = [] } = counts.get(name) ?? {};
    const there = server
      ? `; ${statements} statements, ${quantile(micros.slice(WARM_UP), 0.5).toFixed(0)} µs at the server`
      : '';
    const [median, more] = [own, added].map((values) => quantile(values, 0.5).toFixed(0));
    print(name, `${median} µs, ${more} more (${low} to ${high})${there}`);
  }
  for (const app of apps) await app.close();
}

/** Sums over a hundred thousand rows: so many principals, agents and models within a minute. */
async function measureSums(store: SessionStore, server?: CountedServer): Promise<void> {
  const app = await open(store, {});
  const names = Array.from({ length: AGENTS * MODELS }, (_, index) => ({
    agent: `agent-${index % AGENTS}`,
    model: `model-${Math.floor(index / AGENTS)}`,
  }));
  const from = new Date(Date.now() - 60_000);
  for (let owner = 0; owner < OWNERS; owner += 1) {
    await store.addUsage?.(
      `owner-${owner}`,
      names.map((each) => ({ ...each, ...SPENT })),
    );
  }
  const usage = app.get(UsageService);
  const to = new Date(Date.now() + 60_000);
  const queries = {
    'all in one row': { by: [] },
    'by agent, model and day': { by: ['agent', 'model', 'day'] },
    'by principal': { by: ['principal'] },
    'of one principal': { by: [], principal: 'owner-7' },
  } as const;
  for (const [name, query] of Object.entries(queries)) {
    const rounds: { readonly here: number; readonly there: number }[] = [];
    for (let round = -1; round < SUMS; round += 1) {
      const [before, there] = [process.cpuUsage(), server?.micros ?? Number.NaN];
      await usage.totals({ from, to, ...query });
      const { user, system } = process.cpuUsage(before);
      if (round < 0) continue;
      rounds.push({ here: user + system, there: (server?.micros ?? Number.NaN) - there });
    }
    const [here, there] = (['here', 'there'] as const).map((side) =>
      (
        quantile(
          rounds.map((each) => each[side]),
          0.5,
        ) / 1_000
      ).toFixed(1),
    );
    print(`totals ${name}`, `${here} ms${server ? `, ${there} ms at the server` : ''}`);
  }
  await app.close();
}

function print(name: string, text: string): void {
  process.stdout.write(`  ${name.padEnd(34)} ${text}\n`);
}

async function main(): Promise<void> {
  process.stdout.write('memoryStore(), CPU per turn\n');
  await measureTurns(() => memoryStore());
  await measureSums(memoryStore());
  const connectionString = process.env['DATABASE_URL'];
  if (connectionString === undefined) {
    process.stdout.write('sqlStore({ connectionString }): set DATABASE_URL to measure it\n');
    return;
  }
  process.stdout.write('sqlStore() on PostgreSQL, CPU per turn\n');
  const server = new CountedServer(connectionString);
  const storeOf = (): SessionStore => sqlStore({ client: server.pool, schema: server.schema });
  await measureTurns(storeOf, server);
  await measureSums(storeOf(), server);
  await server.remove();
}

void main();
