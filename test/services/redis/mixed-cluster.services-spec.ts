import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Cluster } from 'ioredis';
import { Cluster as Cluster54 } from 'ioredis-5.4';
import type { AgentEvent, RunBus } from 'nestjs-agent';
import { redisBus } from 'nestjs-agent/redis';
import { OwnCluster } from './cluster';

jest.setTimeout(60_000);

/** How long a reader waits for the first event. */
const WAIT_MS = 6_000;

const SHARDED = Cluster;
// Its types are of another major version.
const PLAIN = Cluster54 as unknown as typeof Cluster;

describe('a cluster of Redis, while a deployment changes the version of ioredis', () => {
  let cluster: OwnCluster;
  const closing: (() => unknown)[] = [];

  beforeAll(async () => {
    cluster = await OwnCluster.start();
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
    await cluster.remove();
  });

  /** A bus answers once both of its connections are ready. */
  async function followed(bus: RunBus, runId: string): Promise<AsyncIterable<AgentEvent>> {
    for (;;) {
      const events = bus.follow(runId, 0, { waitMs: WAIT_MS });
      if (events) return events;
      await delay(20);
    }
  }

  async function busWith(make: typeof Cluster): Promise<RunBus> {
    const client = cluster.client(make);
    const bus = redisBus({ client });
    await bus.connect?.();
    closing.push(
      () => client.disconnect(),
      () => bus.close?.(),
    );
    return bus;
  }

  it.each([
    ['plain channels', 'sharded ones', PLAIN, SHARDED],
    ['sharded channels', 'plain ones', SHARDED, PLAIN],
  ])('tells every event of a process with %s to one with %s', async (_, __, from, to) => {
    const [sender, reader] = [await busWith(from), await busWith(to)];
    const runId = randomUUID();
    const channel = sender.open({ runId, lastSeq: 0, leaseToken: 1, onSignal: () => undefined });
    const say = (seq: number): void =>
      channel.publish([{ type: 'text.delta', runId, seq, delta: `${seq} ` }]);
    say(1);
    const seqs: number[] = [];
    for await (const { seq } of await followed(reader, runId)) {
      seqs.push(seq);
      if (seqs.length === 3) break;
      say(seq + 1);
    }
    expect(seqs).toEqual([1, 2, 3]);
    channel.close();
  });
});
