// The memory that sessions and streams take, and how much of it they release.
import 'reflect-metadata';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AgentModule } from '../../src/agent.module';
import type { ChatModel, ModelEvent } from '../../src/model';
import { AgentService, SessionService } from '../../src/run';
import type { ClientsReport } from './stream-clients';

const IDLE_SESSIONS = 10_000;
const STREAMS = 1_000;
const ROUNDS = 4;
const QUESTION = 'What applications do I have, and which of them failed? '.repeat(4);
const ANSWER = 'You have demo-app and test-service; the tests of demo-app failed. '.repeat(6);

/** Answers at once, or sends a word and waits until the bench lets all streams continue. */
class BenchModel implements ChatModel {
  readonly name = 'bench';
  readonly capabilities = { tools: true };
  private waiting: (() => void)[] = [];
  isWaiting = false;

  async *stream(): AsyncGenerator<ModelEvent> {
    yield { type: 'text.delta', delta: ANSWER };
    if (this.isWaiting) await new Promise<void>((resolve) => this.waiting.push(resolve));
    yield { type: 'finish', reason: 'end_turn' };
  }

  goOn(): void {
    for (const resolve of this.waiting) resolve();
    this.waiting = [];
  }
}

const model = new BenchModel();

@Module({
  imports: [
    AgentModule.forRoot({
      model,
      sessions: { compaction: false },
      audit: { record: () => undefined },
    }),
  ],
})
class BenchModule {}

/** Kilobytes of heap in use after garbage collection. */
async function heapKilobytes(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    await turn();
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed / 1024;
}

function say(what: string, figure: string): void {
  process.stdout.write(`${what.padEnd(58)} ${figure.padStart(12)}\n`);
}

async function chatOnce(agent: AgentService, index: number): Promise<string> {
  const { sessionId } = await agent.chat({ message: QUESTION }, { principal: `user ${index}` });
  return sessionId;
}

async function measureIdle(agent: AgentService, sessions: SessionService): Promise<void> {
  const warm = await chatOnce(agent, -1);
  await sessions.clear(warm, 'user -1');
  const before = await heapKilobytes();
  const ids: string[] = [];
  for (let index = 0; index < IDLE_SESSIONS; index += 1) ids.push(await chatOnce(agent, index));
  const held = await heapKilobytes();
  for (const [index, id] of ids.entries()) await sessions.clear(id, `user ${index}`);
  ids.length = 0;
  const after = await heapKilobytes();
  const perSession = (held - before) / IDLE_SESSIONS;
  say(`${IDLE_SESSIONS} idle sessions, one turn each: heap per session`, kilobytes(perSession));
  say('  kept of it once they are deleted', kilobytes((after - before) / IDLE_SESSIONS));
}

async function report(clients: ChildProcess): Promise<ClientsReport> {
  const [message] = (await once(clients, 'message')) as [ClientsReport];
  return message;
}

async function measureStreams(url: string, sessions: SessionService): Promise<void> {
  const clients = fork(join(__dirname, 'stream-clients.ts'));
  const heaps: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await heapKilobytes();
    const memory = process.memoryUsage.rss() / 1024;
    const cpu = process.cpuUsage();
    clients.send({ url, count: STREAMS });
    const begun = await report(clients);
    const { user, system } = process.cpuUsage(cpu);
    const open = await heapKilobytes();
    const openMemory = process.memoryUsage.rss() / 1024;
    const ended = report(clients);
    model.goOn();
    const closed = await ended;
    if (begun.type !== 'begun' || closed.type !== 'ended') throw new Error('Out of order.');
    for (const id of closed.sessionIds) await sessions.clear(id, undefined);
    heaps.push(await heapKilobytes());
    if (round < ROUNDS - 1) continue;
    const times = begun.firstEventMs.toSorted((a, b) => a - b);
    say(`${STREAMS} streams at once: first event, median`, milliseconds(times, 0.5));
    say('  99 of 100 within', milliseconds(times, 0.99));
    say(
      '  CPU of the server up to its first event, per stream',
      `${((user + system) / STREAMS).toFixed(0)} µs`,
    );
    say('  heap per open stream', kilobytes((open - before) / STREAMS));
    say(
      '  resident memory more than before, per stream',
      kilobytes((openMemory - memory) / STREAMS),
    );
  }
  clients.disconnect();
  const settled = heaps.slice(1);
  const growth = ((settled.at(-1) ?? 0) - (settled[0] ?? 0)) / (settled.length - 1) / STREAMS;
  say('  heap kept per stream and round, once they ended', kilobytes(growth));
}

async function measureOne(url: string, sessions: SessionService): Promise<void> {
  const clients = fork(join(__dirname, 'stream-clients.ts'));
  const times: number[] = [];
  for (let index = 0; index < 100; index += 1) {
    clients.send({ url, count: 1 });
    const begun = await report(clients);
    const ended = report(clients);
    model.goOn();
    const closed = await ended;
    if (begun.type !== 'begun' || closed.type !== 'ended') throw new Error('Out of order.');
    times.push(...begun.firstEventMs);
    for (const id of closed.sessionIds) await sessions.clear(id, undefined);
  }
  clients.disconnect();
  const sorted = times.toSorted((a, b) => a - b);
  say('one stream: first event, median of 100', milliseconds(sorted, 0.5));
}

function kilobytes(figure: number): string {
  return `${figure.toFixed(2)} kB`;
}

function milliseconds(sorted: readonly number[], share: number): string {
  return `${(sorted[Math.floor((sorted.length - 1) * share)] ?? NaN).toFixed(1)} ms`;
}

async function main(): Promise<void> {
  const app = await NestFactory.create(BenchModule, { logger: false });
  await app.listen(0, '127.0.0.1');
  const sessions = app.get(SessionService);
  await measureIdle(app.get(AgentService), sessions);
  model.isWaiting = true;
  const url = await app.getUrl();
  await measureOne(url, sessions);
  await measureStreams(url, sessions);
  await app.close();
}

void main();
