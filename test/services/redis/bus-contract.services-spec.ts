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
