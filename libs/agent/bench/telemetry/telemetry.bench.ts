// The cost of telemetry: the CPU of a streamed turn with a tool call, without telemetry and with
// each kind of it, and the heap that finished runs leave behind.
import 'reflect-metadata';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { AgentService } from '../../src';
import { Clients, linesOf, type Measured, measuredByTurns } from '../support/by-turns';
import { start, type Started } from './telemetry-app';
import {
  meterProvider,
  register,
  tracerProvider,
  type Variant,
  VARIANTS,
} from './telemetry-variants';

const TURNS = 4;
const ROUNDS = Number(process.env['ROUNDS'] ?? 200);
// V8 compiles code that a turn runs once only after thousands of turns.
const WARM_UP = 1_200;
const KEPT_RUNS = 500;

/** The end of every answer. */
const LAST = 'word 99';

async function heapAfter(runs: number, { app, store }: Started): Promise<number> {
  const agent = app.get(AgentService);
  for (let index = 0; index < runs; index += 1) {
    await (
      await agent.start({ message: 'What?' }, { principal: 'alice' })
    ).finished;
  }
  await store.deleteAll();
  await tracerProvider.forceFlush();
  await meterProvider.forceFlush();
  await new Promise((resolve) => setImmediate(resolve));
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

async function main(): Promise<void> {
  const clients = new Clients();
  const started: (readonly [variant: Variant, started: Started])[] = [];
  const provider = fork(join(__dirname, 'model-server.ts'));
  const [baseURL] = (await once(provider, 'message')) as [string];
  for (const variant of VARIANTS) started.push([variant, await start(variant, baseURL)]);
  const measured = started.map(([variant, { url, store }]): Measured => {
    const work = async (): Promise<void> => {
      const answer = await clients.turns(url, TURNS);
      if (!answer.includes(LAST)) throw new Error(`The answer was ${answer}`);
    };
    return {
      ...variant,
      prepare: () => register(variant),
      work,
      clear: () => store.deleteAll(),
    };
  });
  const figures = await measuredByTurns(measured, {
    rounds: ROUNDS,
    warmUp: WARM_UP,
    times: TURNS,
  });
  clients.close();
  const lines = ['CPU per streamed turn with a tool call     µs   beside none, 95 % of its median'];
  lines.push(...linesOf(measured, figures));
  lines.push('', 'heap kept per finished run              bytes');
  for (const [variant, each] of started.filter(([{ isHeapMeasured }]) => isHeapMeasured)) {
    register(variant);
    await heapAfter(KEPT_RUNS, each);
    const before = await heapAfter(KEPT_RUNS, each);
    const after = await heapAfter(2 * KEPT_RUNS, each);
    const kept = (after - before) / (2 * KEPT_RUNS);
    lines.push(`  ${variant.name.padEnd(34)} ${kept.toFixed(0).padStart(7)}`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
  for (const [, { app }] of started) await app.close();
  provider.disconnect();
  await tracerProvider.shutdown();
  await meterProvider.shutdown();
}

void main();
