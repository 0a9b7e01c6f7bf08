import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { Redis as Redis54 } from 'ioredis-5.4';
import { redisBus } from 'nestjs-agent/redis';
import { describeRunBus } from 'nestjs-agent/testing';
import { redisUrl } from './server';

const prefix = `test-${randomUUID()}`;
const flushMs = 10;

describeRunBus('redisBus by url', {
  create: () => redisBus({ url: redisUrl(), prefix, flushMs }),
  createPeer: () => redisBus({ url: redisUrl(), prefix, flushMs }),
});

describe('a client with settings of its own', () => {
  const settings = { keyPrefix: 'tenant:', lazyConnect: true } as const;
  const client = new Redis(redisUrl(), settings);
  // The oldest release that is supported; its types are of another major version.
  const oldClient = new Redis54(redisUrl(), settings) as unknown as Redis;
  afterAll(() => [client, oldClient].map((each) => each.disconnect()));

  describeRunBus('redisBus by clients of two versions', {
    create: () => redisBus({ client, prefix }),
    createPeer: () => redisBus({ client: oldClient, prefix }),
  });
});

it('tells a reader how long events took that it waited for, and of no others', async () => {
  const [bus, peer] = [1, 2].map(() => redisBus({ url: redisUrl(), prefix, flushMs }));
  await Promise.all([bus?.connect?.(), peer?.connect?.()]);
  const runId = randomUUID();
  const channel = bus?.open({ runId, lastSeq: 0, leaseToken: 1, onSignal: () => undefined });
  const publish = (seq: number) =>
    channel?.publish([{ type: 'text.delta', runId, seq, delta: '' }]);
  publish(1);
  const lags: number[] = [];
  const follow = () => peer?.follow(runId, 0, { onLag: (lagMs) => lags.push(lagMs) }) ?? [];
  // Until the bus has the first event.
  for (let isThere = false; !isThere;)
    for await (const { seq } of follow()) {
      isThere = seq === 1;
      break;
    }
  lags.length = 0;
  for await (const { seq } of follow()) {
    if (seq === 2) break;
    expect(lags).toEqual([]);
    publish(2);
  }
  channel?.close();
  await Promise.all([bus?.close?.(), peer?.close?.()]);
  expect(lags).toEqual([expect.any(Number)]);
  expect(lags[0]).toBeLessThan(5_000);
});

it('serves the next application of a process, whose options have the same bus', async () => {
  const [bus, peer] = [1, 2].map(() => redisBus({ url: redisUrl(), prefix, flushMs }));
  await bus?.connect?.();
  await bus?.close?.();
  await Promise.all([bus?.connect?.(), peer?.connect?.()]);
  const runId = randomUUID();
  const isSignalled = new Promise((resolve) => {
    bus?.open({ runId, lastSeq: 0, leaseToken: 1, onSignal: resolve });
  });
  // Until the run is open for the other process; a busy machine may be late for a command.
  const isTold = () => peer?.signal(runId, { type: 'delivered', callId: 'a' }).catch(() => false);
  while (!(await isTold()));
  expect(await isSignalled).toEqual({ type: 'delivered', callId: 'a' });
  await Promise.all([bus?.close?.(), peer?.close?.()]);
});
