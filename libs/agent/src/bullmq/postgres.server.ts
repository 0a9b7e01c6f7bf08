import type { BackendFactory, PostgresConnectionOptions, PostgresQueueBackend } from 'bullmq';
import { AgentError } from '../tool';
import type { BullmqPostgresConnection } from './bullmq-options';
import {
  COMMAND_MS,
  CONNECT_MS,
  FEW_EVENTS,
  hostOf,
  type JobsQueue,
  type JobsServer,
  type JobsWorker,
  type OpenServer,
} from './jobs-server';
import { loadOptional } from './optional-packages';

const NEEDED = ['bullmq', 'pg'];

/** Jobs in PostgreSQL, in tables of BullMQ. One pool serves the queue and the worker. */
export class PostgresServer implements JobsServer {
  readonly address: string;
  private readonly name: string;

  constructor(
    private readonly connection: BullmqPostgresConnection,
    prefix: string,
  ) {
    const { connectionString, host = 'localhost', port = 5432 } = connection;
    this.address =
      connectionString === undefined ? `${String(host)}:${String(port)}` : hostOf(connectionString);
    this.name = `${prefix}.runs`;
  }

  async open(onError: (error: unknown) => void): Promise<OpenServer> {
    const { PostgresConnection, PostgresQueueBackend, Queue, Worker } = loadOptional(
      'bullmq',
      NEEDED,
    );
    loadOptional('pg', NEEDED);
    const { name } = this;
    const connection = new PostgresConnection(this.options());
    connection.on('error', onError);
    /** Backends that share one connection, which is closed here. */
    const backendOf =
      (listening?: string): Backends =>
      (queue, options) =>
        new PostgresQueueBackend(connection, queue, options, listening !== undefined, listening);
    try {
      await this.migrated(connection.waitUntilReady());
      // BullMQ requires connection options, although its backend has a connection.
      const shared = { connection: '' };
      const queue = new Queue(name, { ...shared, ...FEW_EVENTS }, backendOf());
      await queue.waitUntilReady();
      return {
        queue: queue as unknown as JobsQueue,
        startWorker: (deliver, options) =>
          new Worker(
            name,
            deliver,
            { ...options, ...shared },
            backendOf(name),
          ) as unknown as JobsWorker,
        present: async (ids) => {
          const { rows } = await connection.pool.query<{ readonly id: string }>(
            'select id from job where queue = $1 and id = any($2)',
            [name, ids],
          );
          return new Set(rows.map(({ id }) => id));
        },
        check: async () => void (await connection.pool.query('select 1')),
        close: () => connection.close(),
      };
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  private options(): PostgresConnectionOptions {
    const { connection } = this;
    return {
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: COMMAND_MS,
      keepAlive: true,
      ...('skipMigrations' in connection ? {} : { migrate: true }),
      ...connection,
    };
  }

  private async migrated(ready: Promise<void>): Promise<void> {
    try {
      await ready;
    } catch (error) {
      const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
      const schema = this.connection.schema ?? 'bullmq';
      if (name === 'SchemaMigrationRequiredError') {
        throw new AgentError(
          'queue_settings',
          `PostgreSQL at ${this.address} has no tables of BullMQ in the schema ${schema}. Leave out migrate: false, or call runMigrations() of bullmq.`,
        );
      }
      if (code === '42501') {
        throw new AgentError(
          'queue_settings',
          `PostgreSQL at ${this.address} does not let this user create or update BullMQ's tables in the schema ${schema} (42501). Grant it, or call runMigrations() of bullmq as another user and set connection.migrate to false.`,
        );
      }
      throw error;
    }
  }
}

type Backends = BackendFactory<PostgresQueueBackend, PostgresConnectionOptions>;
