import type { Logger } from '@nestjs/common';
import type { ConnectionOptions } from 'bullmq';
import type { RedisOptions } from 'ioredis';
import { reconnectOnReplica } from '../internal';
import { AgentError } from '../tool';
import type { BullmqRedisConnection } from './bullmq-options';
import {
  COMMAND_MS,
  CONNECT_MS,
  FEW_EVENTS,
  type Deliver,
  hostOf,
  type JobsServer,
  type JobsWorkerOptions,
  type OpenServer,
} from './jobs-server';
import { loadOptional } from './optional-packages';

const NEEDED = ['bullmq', 'ioredis'];
const QUEUE = 'runs';
const RECONNECT_AT_MOST_MS = 2_000;
/** Replaces a worker's connection after this time without a reply. One of its commands blocks for 10 s. */
const SILENT_MS = 15_000;

/** Jobs in Redis. In a cluster their hash tag keeps all keys on one shard. */
export class RedisServer implements JobsServer {
  readonly address: string;
  private readonly prefix: string;

  constructor(
    private readonly connection: BullmqRedisConnection,
    prefix: string,
    private readonly logger: Logger,
  ) {
    this.address = addressOf(connection);
    this.prefix = `{${prefix}}`;
  }

  async open(onError: (error: unknown) => void): Promise<OpenServer> {
    const { Queue, Worker } = loadOptional('bullmq', NEEDED);
    const client = this.connect();
    try {
      await answered(client);
      await this.assertSettings(client);
      const queue = new Queue(QUEUE, {
        connection: client,
        prefix: this.prefix,
        ...FEW_EVENTS,
      });
      queue.on('error', onError);
      await queue.waitUntilReady();
      return {
        queue,
        startWorker: (deliver: Deliver, options: JobsWorkerOptions) =>
          new Worker(QUEUE, deliver, {
            ...options,
            connection: this.workerOptions(),
            prefix: this.prefix,
          }),
        present: async (ids) => {
          const pipeline = client.pipeline();
          for (const id of ids) pipeline.exists(queue.toKey(id));
          const answers = (await pipeline.exec()) ?? [];
          return new Set(
            ids.filter((_, index) => {
              const [error, count] = answers[index] ?? [new Error('Connection is closed.')];
              if (error) throw error;
              return count === 1;
            }),
          );
        },
        // Stores nothing, but a server that is full, read-only or forbids writes refuses it.
        check: async () => void (await client.setrange(queue.toKey('health-check'), 0, '')),
        close: async () => {
          await queue.close();
          client.disconnect();
        },
      };
    } catch (error) {
      client.disconnect();
      throw error;
    }
  }

  /** The queue's own connection, whose commands fail at once during an outage. */
  private connect() {
    const { Redis } = loadOptional('ioredis', NEEDED);
    const { url, ...options } = this.options();
    const settings: RedisOptions = {
      ...options,
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_MS,
      socketTimeout: COMMAND_MS,
    };
    const client = url === undefined ? new Redis(settings) : new Redis(url, settings);
    // Errors are reported where they are caught; without a listener `ioredis` prints them.
    client.on('error', () => undefined);
    return client;
  }

  /** A worker's connection, whose commands wait for the server; one blocks for seconds. */
  private workerOptions(): ConnectionOptions {
    const options = { ...this.options(), maxRetriesPerRequest: null };
    delete options.commandTimeout;
    return options as ConnectionOptions;
  }

  private options() {
    const defaults: RedisOptions = {
      connectTimeout: CONNECT_MS,
      keepAlive: 10_000,
      socketTimeout: SILENT_MS,
      retryStrategy: (times) => Math.min(times * 100, RECONNECT_AT_MOST_MS),
    };
    const given = this.connection as RedisOptions & { readonly url?: string };
    const reconnectOnError = reconnectOnReplica(given.reconnectOnError);
    return { ...defaults, ...given, reconnectOnError };
  }

  /** Checks that the server does not evict keys, because it would lose jobs. */
  private async assertSettings(client: { info(section: string): Promise<string> }): Promise<void> {
    const info = await client.info('memory').catch(() => '');
    const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
    if (policy === undefined) {
      this.logger.warn(
        `Redis at ${this.address} does not report its maxmemory-policy. It must be noeviction, or jobs are lost.`,
      );
    } else if (policy !== 'noeviction') {
      throw new AgentError(
        'queue_settings',
        `Redis at ${this.address} has the maxmemory-policy ${policy}, which loses jobs. Set it to noeviction: CONFIG SET maxmemory-policy noeviction.`,
      );
    }
  }
}

function addressOf({ url, ...connection }: BullmqRedisConnection): string {
  const { path, host = '127.0.0.1', port = 6379, sentinels, name } = connection;
  if (Array.isArray(sentinels)) return `the sentinels of ${String(name)}`;
  if (url !== undefined) return hostOf(url);
  return typeof path === 'string' ? path : `${host}:${port}`;
}

/** What comparing two instances of the client's generic type takes seconds for. */
interface Connecting {
  connect(): Promise<void>;
  once(event: 'error', listener: (error: Error) => void): unknown;
}

/** Connects once; the first error ends the attempt, so that a boot does not wait for a server. */
async function answered(client: Connecting): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    client.once('error', reject);
    client.connect().then(resolve, () => setImmediate(reject, new Error('Connection is closed.')));
  });
}
