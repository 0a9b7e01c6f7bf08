// How the CPU of a streamed turn grows with the pieces of its answer, the messages before it, the
// offered tools, the sessions in memory and the concurrent streams: one line each, with its slope.
import 'reflect-metadata';
import { Readable } from 'node:stream';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AgentModule } from '../../src/agent.module';
import { eventEncoder } from '../../src/http/sse/sse.encoder';
import { openai } from '../../src/model';
import { batchesOf } from '../../src/message';
import { AgentService } from '../../src/run';
import { defineTool, ToolRegistry } from '../../src/registry';
import { measuredByTurns, quantile, type Measured } from '../support/by-turns';
import { frame } from '../support/model-frames';

const ROUNDS = 15;
const WARM_UP = 5;
/** Turns of one piece. */
const TURNS = 20;
const PIECES = 40;
const QUESTION = 'Which of my applications failed? '.repeat(4);

/** One size of a growing quantity. */
interface Step extends Omit<Measured, 'name'> {
  readonly size: number;
  /** Turns that one piece of its work takes. */
  readonly turns: number;
}

/** A response with this many pieces, one by one. */
function answering(pieces: () => number): typeof fetch {
  return () => {
    const body = Array.from({ length: pieces() }, () => frame({ content: ' word' }));
    const frames = [...body, `${frame({}, 'stop')}data: [DONE]\n\n`];
    const answer = { ok: true, status: 200, url: 'http://127.0.0.1', headers: new Headers() };
    const chunks = Readable.from(frames.map((text) => Buffer.from(text)));
    return Promise.resolve({ ...answer, body: chunks } as unknown as Response);
  };
}

async function boot(pieces: () => number, tools = 1): Promise<INestApplicationContext> {
  const fetching = answering(pieces);
  const model = openai({ model: 'm', apiKey: 'k', baseURL: 'http://127.0.0.1', fetch: fetching });
  const agent = AgentModule.forRoot({
    path: false,
    model,
    sessions: { compaction: false },
    limits: { runsPerPrincipal: 2_000 },
    audit: { record: () => undefined },
  });
  @Module({ imports: [agent] })
  class BenchModule {}
  const app = await NestFactory.createApplicationContext(BenchModule, { logger: false });
  for (let index = 0; index < tools; index += 1) {
    app.get(ToolRegistry).register(
      defineTool({
        name: `find_item_${index}`,
        description: 'Find an item by its number',
        input: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
        execute: () => 'found',
      }),
    );
  }
  return app;
}

/** Reads a turn as the endpoint does. @returns its session */
async function turn(app: INestApplicationContext, sessionId?: string): Promise<string> {
  const input = { message: QUESTION, ...(sessionId !== undefined && { sessionId }) };
  const run = await app.get(AgentService).start(input, { principal: 'somebody' });
  let bytes = 0;
  for await (const batch of batchesOf(run.events())) {
    for (const event of batch) bytes += eventEncoder.encode(event).length;
  }
  const { status } = await run.finished;
  if (status !== 'completed' || bytes === 0) throw new Error(`A turn ended ${status}.`);
  return run.sessionId;
}

async function inTurn(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index += 1) await work();
}

async function say(what: string, steps: readonly Step[]): Promise<void> {
  const named = steps.map((step) => ({ name: String(step.size), ...step }));
  const figures = await measuredByTurns(named, { rounds: ROUNDS, warmUp: WARM_UP, times: 1 });
  const micros = steps.map(({ turns }, index) => quantile(figures[index] ?? [], 0.5) / turns);
  const points = steps.map(({ size }, index) => `${size}: ${(micros[index] ?? 0).toFixed(0)}`);
  const slope = slopeOf(
    steps.map(({ size }) => size),
    micros,
  );
  process.stdout.write(`${what.padEnd(24)} ${points.join(', ')} µs; ${slope.toFixed(3)} µs each\n`);
}

/** The slope of the least-squares line. */
function slopeOf(sizes: readonly number[], values: readonly number[]): number {
  const mean = (list: readonly number[]) => list.reduce((sum, each) => sum + each, 0) / list.length;
  const [x, y] = [mean(sizes), mean(values)];
  const rise = sizes.map((size, index) => (size - x) * ((values[index] ?? y) - y));
  return mean(rise) / mean(sizes.map((size) => (size - x) ** 2));
}

async function main(): Promise<void> {
  let pieces = PIECES;
  const app = await boot(() => pieces);
  const once = () => turn(app);

  const ofPieces = [10, 40, 100, 400].map((size) => ({
    size,
    turns: TURNS,
    prepare: () => (pieces = size),
    work: () => inTurn(TURNS, once),
    clear: () => (pieces = PIECES),
  }));
  await say('pieces of an answer', ofPieces);

  // A conversation of its own for each piece, since turns add messages.
  const ofMessages = [10, 100, 1_000].map((size) => {
    let sessionId: string | undefined;
    const talk = async () => {
      sessionId = await turn(app, sessionId);
    };
    return {
      size,
      turns: 2,
      work: () => inTurn(2, talk),
      clear: async () => {
        sessionId = undefined;
        pieces = 1;
        await inTurn(size / 2, talk);
        pieces = PIECES;
      },
    };
  });
  for (const { clear } of ofMessages) await clear();
  await say('messages before', ofMessages);

  const ofTools: Step[] = [];
  for (const size of [10, 100, 1_000]) {
    const own = await boot(() => PIECES, size);
    ofTools.push({ size, turns: TURNS, work: () => inTurn(TURNS, () => turn(own)) });
  }
  await say('tools', ofTools);

  const ofSessions: Step[] = [];
  for (const size of [0, 1_000, 10_000]) {
    const own = await boot(() => PIECES);
    await inTurn(size, () => turn(own));
    ofSessions.push({ size, turns: TURNS, work: () => inTurn(TURNS, () => turn(own)) });
  }
  await say('sessions in memory', ofSessions);

  const ofStreams = [1, 10, 100, 1_000].map((size) => {
    const times = Math.max(1, 100 / size);
    const together = () => Promise.all(Array.from({ length: size }, once));
    return { size, turns: size * times, work: () => inTurn(times, together) };
  });
  await say('streams at once', ofStreams);
  process.exit();
}

void main();
