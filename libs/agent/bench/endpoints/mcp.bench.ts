// The cost of the same calls on this MCP server and on that of the official package.
import 'reflect-metadata';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Type as ClassType } from '@nestjs/common';
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { CpuUsed, Listening } from './mcp-server.process';
import { OfficialServer, OurServer } from './mcp-servers';
import type { ClientsDone, ClientsTask } from '../support/request-clients';

const CALLS = 200;
const ROUNDS = 11;
// V8 still compiles code after thousands of calls.
const WARM_UP = 120;
const STREAMS = 1_000;

type Era = 'modern' | 'legacy';
const REVISIONS: Readonly<Record<Era, string>> = { modern: '2026-07-28', legacy: '2025-11-25' };

const ADAPTERS: readonly (readonly [name: string, create: () => AbstractHttpAdapter])[] = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
];

interface Work {
  readonly name: string;
  readonly method: string;
  readonly params: object;
  /** A part of every right answer. */
  readonly expected: string;
}

const WORKS: readonly Work[] = [
  {
    name: 'tools/call, provider',
    method: 'tools/call',
    params: { name: 'add', arguments: { a: 2, b: 40 } },
    expected: '"42"',
  },
  {
    name: 'tools/call, route',
    method: 'tools/call',
    params: { name: 'find_order', arguments: { id: 7 } },
    expected: 'Ada',
  },
  { name: 'tools/list', method: 'tools/list', params: {}, expected: 'find_order' },
];

const LISTEN: Work = {
  name: 'subscriptions/listen',
  method: 'subscriptions/listen',
  params: { notifications: { toolsListChanged: true } },
  expected: 'acknowledged',
};

/** A message as a client of the era sends it. */
function messageOf({ method, params }: Work, era: Era, url: string) {
  const revision = REVISIONS[era];
  const { name } = params as { readonly name?: string };
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    url,
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: 'Bearer token',
      'mcp-protocol-version': revision,
      ...(era === 'modern' && { 'mcp-method': method, ...(name && { 'mcp-name': name }) }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: era === 'modern' ? { ...params, _meta: meta } : params,
    }),
  };
}

/** Lets the clients do a task, and checks the answer. */
async function done(clients: ChildProcess, task: ClientsTask, expected: string): Promise<void> {
  clients.send(task);
  const [{ answer }] = (await once(clients, 'message')) as [ClientsDone];
  if (!answer.includes(expected)) throw new Error(`${task.body} was answered with ${answer}`);
}

function startClients(): ChildProcess {
  return fork(join(__dirname, '../support/request-clients.ts'));
}

async function open(module: ClassType<unknown>, adapter: AbstractHttpAdapter) {
  const app = await NestFactory.create(module, adapter, { logger: ['error', 'fatal'] });
  await app.listen(0, '127.0.0.1');
  return { app, url: `${await app.getUrl()}/mcp` };
}

function say(what: string, figures: readonly number[], unit: string): void {
  const [ours = Number.NaN, theirs = Number.NaN, floor] = figures;
  const told = figures.map((figure) => figure.toFixed(0).padStart(7)).join('');
  const ratios = [
    ours / theirs,
    ...(floor === undefined ? [] : [(ours - floor) / (theirs - floor)]),
  ];
  const compared = ratios.map((ratio) => ratio.toFixed(2).padStart(8)).join('');
  process.stdout.write(`${what.padEnd(42)}${told} ${unit}${compared}\n`);
}

/** Some calls to one server. */
interface Round {
  readonly server: ServerProcess;
  readonly task: ClientsTask;
  readonly expected: string;
}

/**
 * Microseconds of CPU per call of each server, measured by turns so that the load of the machine is
 * the same.
 */
async function inTurns(
  clients: ChildProcess,
  rounds: readonly Round[],
): Promise<readonly number[]> {
  const figures = rounds.map((): number[] => []);
  for (let time = -WARM_UP; time < ROUNDS; time += 1) {
    for (const [index, { server, task, expected }] of rounds.entries()) {
      const before = await server.cpu();
      await done(clients, task, expected);
      const taken = (await server.cpu()) - before;
      if (time >= 0) figures[index]?.push(taken / CALLS);
    }
  }
  return figures.map((each) => each.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN);
}

/** A server in a separate process. */
class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly url: string,
  ) {}

  static async start(owner: 'ours' | 'official', adapterName: string): Promise<ServerProcess> {
    const child = fork(join(__dirname, 'mcp-server.process.ts'), [owner, adapterName]);
    const [{ url }] = (await once(child, 'message')) as [Listening];
    return new ServerProcess(child, url);
  }

  at(path: string): string {
    return `${this.url}/${path}`;
  }

  async cpu(): Promise<number> {
    this.child.send('cpu');
    const [{ micros }] = (await once(this.child, 'message')) as [CpuUsed];
    return micros;
  }

  close(): void {
    this.child.disconnect();
  }
}

/** The CPU of the servers, without their clients. */
async function printCpu(): Promise<void> {
  process.stdout.write(
    `${'CPU per call'.padEnd(42)}   ours official floor     ratio, above the floor\n`,
  );
  const clients = startClients();
  for (const [adapterName] of ADAPTERS) {
    const ours = await ServerProcess.start('ours', adapterName);
    const official = await ServerProcess.start('official', adapterName);
    for (const era of ['modern', 'legacy'] as const) {
      for (const work of WORKS) {
        const roundOf = (server: ServerProcess, path: string, expected: string): Round => ({
          server,
          task: { type: 'calls', count: CALLS, ...messageOf(work, era, server.at(path)) },
          expected,
        });
        const rounds = [
          roundOf(ours, 'mcp', work.expected),
          roundOf(official, 'mcp', work.expected),
          roundOf(ours, 'floor', '42'),
        ];
        say(`${adapterName}, ${era}, ${work.name}`, await inTurns(clients, rounds), 'µs');
      }
    }
    ours.close();
    official.close();
  }
  clients.kill();
}

/** Kilobytes in use after garbage collection. */
async function usedKilobytes(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    await turn();
    globalThis.gc?.();
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024;
}

async function subscriptionsPerMegabyte(
  module: ClassType<unknown>,
  adapter: AbstractHttpAdapter,
): Promise<number> {
  const { app, url } = await open(module, adapter);
  const clients = startClients();
  const message = messageOf(LISTEN, 'modern', url);
  // Code that the first one loads is not counted.
  await done(clients, { type: 'streams', count: 1, ...message }, LISTEN.expected);
  const before = await usedKilobytes();
  await done(clients, { type: 'streams', count: STREAMS, ...message }, LISTEN.expected);
  const held = (await usedKilobytes()) - before;
  clients.kill();
  await once(clients, 'exit');
  await app.close();
  return STREAMS / (held / 1024);
}

async function printSubscriptions(): Promise<void> {
  process.stdout.write(`\n${'Open subscriptions'.padEnd(42)}   ours official          ratio\n`);
  for (const [adapterName, create] of ADAPTERS) {
    const ours = await subscriptionsPerMegabyte(OurServer, create());
    const theirs = await subscriptionsPerMegabyte(OfficialServer, create());
    say(adapterName, [ours, theirs], 'per MB');
  }
}

async function main(): Promise<void> {
  await printCpu();
  await printSubscriptions();
}

void main();
