// The cost of a streamed turn with a tool call in each protocol, compared with the library's own
// events.
import 'reflect-metadata';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Injectable, Module } from '@nestjs/common';
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AgentModule, Tool, ToolParam } from '../../src';
import type { ChatModel, ModelEvent } from '../../src/model';
import { median } from '../support/by-turns';
import type { ClientsDone, ClientsTask } from '../support/request-clients';

const TURNS = 100;
const ROUNDS = 9;
const WARM_UP = 3;
const DELTAS = 100;

/** The end of every answer. */
const LAST = 'word 99';

/** A hundred words and a call, then a hundred words. */
class WordyModel implements ChatModel {
  readonly name = 'wordy';
  readonly capabilities = { tools: true };
  private calls = 0;

  async *stream({ messages }: Parameters<ChatModel['stream']>[0]): AsyncGenerator<ModelEvent> {
    const isAnswered = messages.at(-1)?.content.some(({ type }) => type === 'tool_result') === true;
    for (let word = 0; word < DELTAS; word += 1) {
      yield { type: 'text.delta', delta: `word ${word} ` };
      // As deltas arrive over a network: several at once.
      if (word % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    if (!isAnswered) {
      yield {
        type: 'tool_use',
        id: `call_${(this.calls += 1)}`,
        name: 'add',
        input: { a: 1, b: 2 },
      };
    }
    const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
    yield { type: 'finish', reason: isAnswered ? 'end_turn' : 'tool_use', usage };
  }
}

@Injectable()
class MathTools {
  @Tool({ description: 'Add two numbers', readOnly: true })
  add(@ToolParam('a') a: number, @ToolParam('b') b: number): number {
    return a + b;
  }
}

@Module({
  imports: [
    AgentModule.forRoot({
      model: new WordyModel(),
      principal: () => 'alice',
      limits: { runsPerPrincipal: 100 },
      audit: { record: () => undefined },
    }),
  ],
  providers: [MathTools],
})
class BenchModule {}

interface Protocol {
  readonly name: string;
  readonly path: string;
  /** The body of a first message, in a new conversation. */
  readonly body: object;
}

const QUESTION = 'Tell me what happened today.';
const PROTOCOLS: readonly Protocol[] = [
  { name: 'own events', path: 'chat/stream', body: { message: QUESTION } },
  {
    name: 'AI SDK',
    path: 'ai-sdk',
    body: {
      id: 'bench',
      trigger: 'submit-message',
      messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: QUESTION }] }],
    },
  },
  {
    name: 'AG-UI',
    path: 'ag-ui',
    body: {
      threadId: 'bench',
      runId: 'run',
      protocolVersion: '1.0',
      messages: [{ id: 'm', role: 'user', content: QUESTION }],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    },
  },
  {
    name: 'Responses',
    path: 'v1/responses',
    body: { model: 'agent', input: QUESTION, stream: true },
  },
];
const ADAPTERS: readonly (readonly [name: string, create: () => AbstractHttpAdapter])[] = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
];

/** Lets the clients run turns, each in a new conversation, and checks the last answer. */
async function turns(clients: ChildProcess, url: string, { path, body }: Protocol): Promise<void> {
  const task: ClientsTask = {
    type: 'calls',
    count: TURNS,
    url: `${url}/agent/${path}`,
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify(body),
    fresh: 'bench',
  };
  clients.send(task);
  const [{ answer }] = (await once(clients, 'message')) as [ClientsDone];
  if (!answer.includes(LAST)) throw new Error(`${path} was answered with ${answer}`);
}

/**
 * Microseconds of CPU per turn in each protocol, measured by turns so that the load of the machine
 * is the same.
 */
async function measured(rounds: readonly (() => Promise<void>)[]): Promise<readonly number[][]> {
  const figures = rounds.map((): number[] => []);
  for (let time = -WARM_UP; time < ROUNDS; time += 1) {
    for (const [index, round] of rounds.entries()) {
      const before = process.cpuUsage();
      await round();
      const { user, system } = process.cpuUsage(before);
      if (time >= 0) figures[index]?.push((user + system) / TURNS);
    }
  }
  return figures;
}

async function main(): Promise<void> {
  process.stdout.write(
    'CPU per streamed turn with a tool call     µs   beside our own (bound: 1.1)\n',
  );
  const clients = fork(join(__dirname, '../support/request-clients.ts'));
  for (const [adapter, create] of ADAPTERS) {
    const app = await NestFactory.create(BenchModule, create(), { logger: ['error', 'fatal'] });
    await app.listen(0, '127.0.0.1');
    const url = await app.getUrl();
    const figures = await measured(PROTOCOLS.map((each) => () => turns(clients, url, each)));
    const [own = []] = figures;
    for (const [index, each] of figures.entries()) {
      const ratio = median(each.map((micros, round) => micros / (own[round] ?? Number.NaN)));
      const name = `${adapter}, ${PROTOCOLS[index]?.name ?? ''}`;
      process.stdout.write(
        `${name.padEnd(36)}${median(each).toFixed(0).padStart(9)}${ratio.toFixed(2).padStart(9)}\n`,
      );
    }
    await app.close();
  }
  clients.kill();
}

void main();
