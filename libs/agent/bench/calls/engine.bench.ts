import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { bench, run } from 'mitata';
import { AgentModule } from '../../src/agent.module';
import { Tool, ToolParam } from '../../src/decorators';
import { executeAll, ToolCallFactory, type CallOptions } from '../../src/invocation';
import { defineTool, ToolRegistry } from '../../src/registry';
import { cpuMicros } from '../support/cpu-time';

const CALLS = 10_000;
const PARALLEL = 1_000;
const ROUNDS = 30;

@Injectable()
class MathTools {
  @Tool({ description: 'Add two integers', readOnly: true })
  add(@ToolParam('a') a: number, @ToolParam('b') b: number): number {
    return a + b;
  }
}

@Module({
  imports: [AgentModule.forRoot({ path: false, audit: { record: () => undefined } })],
  providers: [MathTools],
})
class BenchModule {}

/** Kilobytes of heap in use after garbage collection. */
function heapKilobytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024;
}

async function main(): Promise<void> {
  const app = await NestFactory.createApplicationContext(BenchModule, { logger: false });
  const calls = app.get(ToolCallFactory);
  app.get(ToolRegistry).register(
    defineTool({
      name: 'add_function',
      description: 'Add two integers',
      input: {
        type: 'object',
        properties: { a: { type: 'integer' }, b: { type: 'integer' } },
        required: ['a', 'b'],
      },
      readOnly: true,
      execute: ({ a, b }) => Number(a) + Number(b),
    }),
  );

  const context: CallOptions = {
    signal: new AbortController().signal,
    sessionId: 'session',
    runId: 'run',
    principal: 'alice',
  };
  const callOf = (name: string) => async (index: number) => {
    const call = await calls.create(name, { a: index, b: 2 }, context);
    const { status } = await call.response.execute();
    if (status !== 'executed') throw new Error(`The call ended ${status}.`);
  };
  const provider = callOf('add');
  const handler = callOf('add_function');
  await cpuMicros(2_000, provider);
  await cpuMicros(2_000, handler);
  const providerMicros = await cpuMicros(CALLS, provider);
  const handlerMicros = await cpuMicros(CALLS, handler);

  const parallelRound = async () => {
    const created = await Promise.all(
      Array.from({ length: PARALLEL }, (_, index) =>
        calls.create('add', { a: index, b: 1 }, context),
      ),
    );
    await executeAll(created, { maxConcurrency: PARALLEL });
  };
  const heap: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await parallelRound();
    heap.push(heapKilobytes());
  }
  const settledHeap = heap.slice(ROUNDS / 2);
  const growth = ((settledHeap.at(-1) ?? 0) - (settledHeap[0] ?? 0)) / (settledHeap.length - 1);

  process.stdout.write(
    [
      `create, check, execute, convert, record: a provider tool  ${providerMicros.toFixed(1)} µs CPU (bound: 40)`,
      `  the same for a function tool                            ${handlerMicros.toFixed(1)} µs CPU`,
      `heap from round to round of ${PARALLEL} parallel calls           ${growth >= 0 ? '+' : ''}${growth.toFixed(1)} kB`,
      '',
    ].join('\n'),
  );

  if (!process.argv.includes('--short')) {
    bench('a provider tool, from create to record', () => provider(1));
    bench('a function tool, from create to record', () => handler(1));
    bench(`${PARALLEL} calls in parallel`, parallelRound);
    await run({ colors: false });
  }
  await app.close();
}

void main();
