import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Cluster, Redis } from 'ioredis';
import { Cluster as Cluster54 } from 'ioredis-5.4';
import type { AgentEvent, RunBus } from 'nestjs-agent';
import { redisBus } from 'nestjs-agent/redis';
import type { SilentLine } from '../silent-line';
import { OwnCluster } from './cluster';

jest.setTimeout(120_000);

const VERSIONS: readonly (readonly [string, typeof Cluster])[] = [
  ['sharded channels', Cluster],
  // The oldest release that is supported; its types are of another major version.
  ['plain channels', Cluster54 as unknown as typeof Cluster],
];

/** A run that one process publishes. */
class Sent {
  readonly runId = randomUUID();
  stops = 0;
  private readonly channel: ReturnType<RunBus['open']>;
  private seq = 0;

  constructor(bus: RunBus) {
    const onSignal = (): void => void (this.stops += 1);
    this.channel = bus.open({ runId: this.runId, lastSeq: 0, leaseToken: 1, onSignal });
  }

  say(): void {
    this.seq += 1;
    const { runId, seq } = this;
    this.channel.publish([{ type: 'text.delta', runId, seq, delta: `${seq} ` }]);
  }

  close(): void {
    this.channel.close();
  }
}

/** Reads until the reader has this event, or falls back to the store. */
async function reads(bus: RunBus, { runId }: Sent, last: number): Promise<boolean> {
  const events = bus.follow(runId, last - 1) ?? [];
  for await (const event of events as AsyncIterable<AgentEvent>)
    if (event.seq === last) return true;
  return false;
}

/** Resolves once the other process has the run's event, and its signals arrive. */
async function works(there: RunBus, run: Sent, last: number): Promise<void> {
  while (!(await reads(there, run, last))) await delay(50);
  const before = run.stops;
  while (run.stops === before) {
    await there.signal(run.runId, { type: 'stop' }).catch(() => undefined);
    await delay(50);
  }
}

describe.each(VERSIONS)('a cluster of Redis, on %s', (_, make) => {
  let cluster: OwnCluster;
  let clients: Cluster[];
  let lines: readonly SilentLine[];
  let here: RunBus;
  let there: RunBus;

  beforeEach(async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    cluster = await OwnCluster.start();
    lines = cluster.lines();
    const ports = await Promise.all(lines.map((line) => line.open()));
    const through = ports.map((address) => Number(address.split(':')[1]));
    clients = [1, 2].map(() => cluster.client(make, through));
    const [one, other] = clients.map((client) => redisBus({ client }));
    if (!one || !other) throw new Error('There are two.');
    [here, there] = [one, other];
    await Promise.all([here.connect?.(), there.connect?.()]);
  });
  afterEach(async () => {
    await Promise.all([here.close?.(), there.close?.()]);
    for (const client of clients) client.disconnect();
    await Promise.all(lines.map((line) => line.close()));
    await cluster.remove();
    jest.restoreAllMocks();
  });

  it('has a server that stands still: its readers leave for the store, and come back', async () => {
    const run = new Sent(here);
    run.say();
    await works(there, run, 1);
    const reader = reads(there, run, 2);
    const server = await cluster.serverOf(run.runId);
    server.pause();
    run.say();
    expect(await Promise.all([reader, reads(there, run, 2)])).toEqual([false, false]);
    await there.signal(run.runId, { type: 'stop' }).catch(() => undefined);
    server.goOn();
    run.say();
    await works(there, run, 3);
    run.close();
  });

  it('whose connections fall silent is reached by new ones, for events and channels', async () => {
    const run = new Sent(here);
    run.say();
    await works(there, run, 1);
    for (const line of lines) line.silence();
    run.say();
    await works(there, run, 2);
    run.close();
  });
});

it('of Redis has channels of its shards, where ioredis knows them', async () => {
  const cluster = await OwnCluster.start();
  const client = cluster.client();
  const bus = redisBus({ client });
  await bus.connect?.();
  const run = new Sent(bus);
  const shard = new Redis((await cluster.serverOf(run.runId)).url);
  while (((await shard.call('PUBSUB', 'SHARDCHANNELS')) as string[]).length === 0) await delay(20);
  expect(await shard.call('PUBSUB', 'CHANNELS')).toEqual([]);
  run.close();
  await bus.close?.();
  for (const each of [client, shard]) each.disconnect();
  await cluster.remove();
});
