// The statements of a turn on PostgreSQL after conversations of 10, 100 and 1 000 messages, in the
// process that answered before and in another one, and its CPU time and pace compared with memory;
// then the statements for 10 000 runs that wait for an approval, without and with a queue. Needs
// PostgreSQL (DATABASE_URL) and Redis (REDIS_URL).
import 'reflect-metadata';
import { setTimeout as delay } from 'node:timers/promises';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  AgentModule,
  AgentService,
  defineTool,
  memoryStore,
  ToolRegistry,
  type ChatModel,
  type ModelEvent,
  type ModelRequest,
  type RunQueue,
  type SessionStore,
} from 'nestjs-agent';
import { bullmqRuns } from 'nestjs-agent/bullmq';
import { sqlStore } from 'nestjs-agent/sql';
import { CountedPool, dropSchemas } from '../support/counted-pool';

const LENGTHS = [10, 100, 1_000];
const SAMPLES = 20;
const TEXT = 'Which of my applications failed? '.repeat(8);
const WAITING = 10_000;
const AT_ONCE = 20;
const WATCHED_MS = 30_000;
const schema = `agent_bench_turns_${process.pid}`;

const print = (line: string): unknown => process.stdout.write(`${line}\n`);

/** Answers, or calls the tool that it is asked for. */
const model: ChatModel = {
  name: 'quick',
  capabilities: { tools: true },
  async *stream({ messages }: ModelRequest): AsyncGenerator<ModelEvent> {
    const isRemoval = JSON.stringify(messages.at(-1)).includes('remove');
    if (isRemoval) yield { type: 'tool_use', id: '', name: 'remove', input: {} };
    else yield { type: 'text.delta', delta: TEXT };
    yield await Promise.resolve({ type: 'finish', reason: isRemoval ? 'tool_use' : 'end_turn' });
  },
};

interface Process {
  readonly app: INestApplicationContext;
  readonly agent: AgentService;
  readonly cost: CountedPool;
}

async function boot(given: { readonly store?: SessionStore; readonly runs?: RunQueue } = {}) {
  const cost = new CountedPool();
  const { store = sqlStore({ client: cost.pool, schema }), runs } = given;
  const agent = AgentModule.forRoot({
    path: false,
    model,
    ...(runs && { runs }),
    limits: { runsPerPrincipal: 2 * WAITING },
    permissions: { remove: 'ask' },
    sessions: { store, compaction: false },
    audit: { record: () => undefined },
  });
  @Module({ imports: [agent] })
  class BenchModule {}
  const app = await NestFactory.createApplicationContext(BenchModule, { logger: false });
  const remove = defineTool({ name: 'remove', description: 'Removes', execute: () => 'removed' });
  app.get(ToolRegistry).register(remove);
  return { app, agent: app.get(AgentService), cost } satisfies Process;
}

async function close({ app, cost }: Process): Promise<void> {
  await app.close();
  await cost.pool.end();
}

const kB = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`;

/** Turns one after another, without other work: their CPU time and pace. */
async function pace(turn: () => Promise<unknown>): Promise<string> {
  const [begin, before] = [performance.now(), process.cpuUsage()];
  for (let sample = 0; sample < SAMPLES; sample += 1) await turn();
  const { user, system } = process.cpuUsage(before);
  const perSecond = (SAMPLES / (performance.now() - begin)) * 1_000;
  return `${((user + system) / 1_000 / SAMPLES).toFixed(2)} ms CPU a turn, ${perSecond.toFixed(0)} turns/s`;
}

/** The same conversation in memory. */
async function inMemory(): Promise<(length: number) => Promise<string>> {
  const { agent } = await boot({ store: memoryStore() });
  const caller = { principal: 'alice' };
  const { sessionId } = await agent.chat({ message: TEXT }, caller);
  const turn = () => agent.chat({ message: TEXT, sessionId }, caller);
  let messages = 2;
  return async (length) => {
    for (; messages < length; messages += 2) await turn();
    messages += 2 * SAMPLES;
    return pace(turn);
  };
}

async function turns(): Promise<void> {
  const here = await boot();
  const memory = await inMemory();
  const caller = { principal: 'alice' };
  const { sessionId } = await here.agent.chat({ message: TEXT }, caller);
  const turn = ({ agent }: Process) => agent.chat({ message: TEXT, sessionId }, caller);
  let messages = 2;
  for (const length of LENGTHS) {
    for (; messages < length; messages += 2) await turn(here);
    const elsewhere = await boot();
    // The first turn opens the connections and checks the tables.
    await elsewhere.agent.chat({ message: TEXT }, { principal: 'bob' });
    elsewhere.cost.taken();
    await turn(elsewhere);
    const other = elsewhere.cost.taken();
    await turn(here);
    here.cost.taken();
    const paceHere = await pace(() => turn(here));
    const same = here.cost.taken();
    messages += 2 * (SAMPLES + 2);
    print(
      `after ${length} messages: ${same.statements / SAMPLES} statements, ${same.writes / SAMPLES} of them write; ` +
        `${kB(same.read / SAMPLES)} read, ${kB(same.written / SAMPLES)} sent; ` +
        `in another process ${other.statements} statements, ${other.writes} write, ${kB(other.read)} read`,
    );
    print(`  ${paceHere}; in memory ${await memory(length)}`);
    await close(elsewhere);
  }
  await stored(here, messages / 2);
  await close(here);
}

async function stored({ cost }: Process, count: number): Promise<void> {
  const { rows } = await cost.pool.query<{ readonly bytes: string; readonly entries: string }>(
    `select pg_total_relation_size('${schema}.agent_entries') as bytes,
       (select count(*) from ${schema}.agent_entries) as entries`,
  );
  const [{ bytes = '0', entries = '0' } = {}] = rows;
  print(
    `stored with indexes: ${kB(Number(bytes) / count)} a turn, ` +
      `${(Number(bytes) / Number(entries)).toFixed(0)} bytes an entry of ${Number(entries)}`,
  );
}

async function waiting(): Promise<void> {
  const { hostname: host, port } = new URL(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379');
  const connection = { host, port: Number(port || 6379) };
  const waiter = await boot();
  let left = WAITING;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { status } = await waiter.agent.chat(
        { message: 'remove' },
        { principal: `user-${left}` },
      );
      if (status !== 'requires_action') throw new Error(`The run is ${status}.`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await watch(waiter, 'without a queue');
  const prefix = `bench-turns-${process.pid}`;
  const runs = bullmqRuns({ connection, prefix, credentials: 'none' });
  await watch(await boot({ runs }), 'in a process with a queue');
}

async function watch(waiter: Process, name: string): Promise<void> {
  // The boot's own statements.
  await delay(1_000);
  waiter.cost.taken();
  await delay(WATCHED_MS);
  const { statements } = waiter.cost.taken();
  print(
    `${WAITING} runs that wait for an approval, ${name}: ${statements} statements in ${WATCHED_MS / 1_000} s`,
  );
  await close(waiter);
}

async function main(): Promise<void> {
  try {
    await turns();
    await waiting();
  } finally {
    await dropSchemas(schema);
  }
}

void main();
