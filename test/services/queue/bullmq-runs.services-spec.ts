import { randomUUID } from 'node:crypto';
import type { RunQueue } from 'nestjs-agent';
import { bullmqRuns } from 'nestjs-agent/bullmq';
import { describeRunQueue } from 'nestjs-agent/testing';
import { databaseUrl, dropSchema, newSchemaName } from '../postgres';
import { CuttableLine } from './cuttable-line';
import { OwnRedis } from './own-redis';

type Make = (prefix: string, role: RunQueue['role'], port: number) => RunQueue;

/** Each peer has its own proxy to the server. */
function contractOf(server: () => { readonly host: string; readonly port: number }, make: Make) {
  const lines = new Map<RunQueue, CuttableLine>();
  let prefix = '';
  return {
    create: () => {
      prefix = `test-${randomUUID()}`;
      return make(prefix, 'both', server().port);
    },
    createPeer: async (role: RunQueue['role']) => {
      const { host, port } = server();
      const line = await CuttableLine.to(host, port);
      const peer = make(prefix, role, line.port);
      lines.set(peer, line);
      return peer;
    },
    cutOff: (peer: RunQueue) => lines.get(peer)?.cut(),
    destroy: async () => {
      await Promise.all([...lines.values()].map((line) => line.close()));
      lines.clear();
    },
  };
}

describe('on Redis', () => {
  let redis: OwnRedis;
  beforeAll(async () => {
    redis = await OwnRedis.start();
  });
  afterAll(() => redis.kill());

  describeRunQueue(
    'bullmqRuns',
    contractOf(
      () => ({ host: '127.0.0.1', port: redis.port }),
      (prefix, role, port) =>
        bullmqRuns({ connection: { host: '127.0.0.1', port }, prefix, role, credentials: 'none' }),
    ),
  );
});

describe('on PostgreSQL', () => {
  const schema = newSchemaName();
  const url = new URL(databaseUrl());
  afterAll(() => dropSchema(schema));

  describeRunQueue(
    'bullmqRuns',
    contractOf(
      () => ({ host: url.hostname, port: Number(url.port || 5432) }),
      (prefix, role, port) => {
        const through = new URL(url);
        through.host = `127.0.0.1:${port}`;
        const connection = { connectionString: through.href, schema, max: 4 };
        return bullmqRuns({ backend: 'postgres', connection, prefix, role, credentials: 'none' });
      },
    ),
  );
});
