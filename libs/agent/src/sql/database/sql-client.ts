import { mkdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { Logger } from '@nestjs/common';
import type { Kysely, PostgresPool, RawBuilder, Sql } from 'kysely';
import type { PoolClient } from 'pg';
import { AgentError, loadOptional } from '../../tool';
import { lockDataDir } from './data-dir-lock';
import { poolOf } from './pglite-pool';
import { asFolderError, codeOf, READ_ONLY } from './sql-errors';
import type { PGliteClient, SqlClient, SqlStoreOptions } from './sql-options';

/** kysely's template tag, which is loaded with kysely. */
export type SqlTag = Sql;

/** The parts of a statement, and its executor. */
export interface Queries {
  readonly db: Kysely<unknown>;
  readonly sql: SqlTag;
  /** The name of a table or function, with the store's schema if it has one. */
  readonly named: (name: string) => RawBuilder<unknown>;
}

/** An open database of any kind. */
export interface SqlConnection extends Queries {
  readonly schema: string | undefined;
  /** Closes the store's own connection; the application's client stays open. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 30_000;
/** The message of `pg` for a query timeout. */
const OVERDUE = 'Query read timeout';

const logger = new Logger('SessionStore');

/** @throws AgentError `invalid_options`, MissingPackageError, DataDirInUseError, driver errors */
export async function connectSql(options: SqlStoreOptions): Promise<SqlConnection> {
  if ('connectionString' in options) {
    assertGiven('connectionString', options.connectionString);
    return connectServed(options);
  }
  if ('dataDir' in options) {
    assertGiven('dataDir', options.dataDir);
    return connectEmbedded(options).catch((error: unknown) => {
      throw asFolderError(error, options.dataDir);
    });
  }
  return connectReady(options);
}

/** Required: an unset environment variable must not lead to a default database. */
function assertGiven(name: string, value: unknown): void {
  if (typeof value === 'string' && value !== '') return;
  throw new AgentError(
    'invalid_options',
    `sqlStore({ ${name} }) was given none. Is the environment variable set that it comes from?`,
  );
}

function connectServed(
  options: Extract<SqlStoreOptions, { connectionString: string }>,
): SqlConnection {
  const needed = ['kysely', 'pg'];
  const wanted = 'sqlStore({ connectionString })';
  const kysely = loadOptional<typeof import('kysely')>('kysely', wanted, needed);
  const { Pool } = loadOptional<typeof import('pg')>('pg', wanted, needed);
  const pool = new Pool({
    connectionString: withUser(options.connectionString),
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    // A store must not keep a process alive that has nothing else to do.
    allowExitOnIdle: true,
  });
  // Without a listener, an error would end the process. The driver's text may contain addresses.
  pool.on('error', (error) => logger.warn(brokenConnection(error)));
  // A connection that breaks while in use makes its statement fail, which reports the error.
  const standbys = new WeakSet<PoolClient>();
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    endOnceUseless(client, standbys);
  });
  pool.on('release', (_error, client) => {
    if (standbys.has(client)) end(client);
  });
  return connection(kysely, pool, options.schema, () => pool.end());
}

/**
 * Ends a connection on which every later statement would fail as well: after a query timeout, since
 * it waits for that answer for ever, and if its server accepts no writes, as after a failover.
 *
 * @param standbys gets the connections of such servers, which end after their release: a
 *   transaction is rolled back first, as the failure of that would hide the reason
 */
function endOnceUseless(client: PoolClient, standbys: WeakSet<PoolClient>): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const watched = (...args: unknown[]): unknown => {
    const answer = query(...args);
    if (answer instanceof Promise) {
      answer.catch((error: unknown) => {
        if (codeOf(error) === READ_ONLY) standbys.add(client);
        else if (error instanceof Error && error.message === OVERDUE) end(client);
      });
    }
    return answer;
  };
  client.query = watched as typeof client.query;
}

function end(client: PoolClient): void {
  client.end().catch(() => undefined);
}

function brokenConnection(error: Error): string {
  const code = codeOf(error);
  const suffix = code === undefined ? '' : ` (${code})`;
  return `An idle connection to the session database broke${suffix}. The next statement opens another one.`;
}

/** An address without a user means the system's user, as for PostgreSQL's clients; `pg` requires `USER`. */
function withUser(connectionString: string): string {
  const named = process.env['PGUSER'] ?? process.env['USER'] ?? process.env['USERNAME'];
  if (named !== undefined || !URL.canParse(connectionString)) return connectionString;
  const url = new URL(connectionString);
  if (url.host === '' || url.username !== '') return connectionString;
  url.username = userInfo().username;
  return url.href;
}

async function connectEmbedded(
  options: Extract<SqlStoreOptions, { dataDir: string }>,
): Promise<SqlConnection> {
  const needed = ['kysely', '@electric-sql/pglite'];
  const wanted = 'sqlStore({ dataDir })';
  const kysely = loadOptional<typeof import('kysely')>('kysely', wanted, needed);
  const { PGlite } = loadOptional<typeof import('@electric-sql/pglite')>(
    '@electric-sql/pglite',
    wanted,
    needed,
  );
  const lock = await lockOf(options.dataDir);
  try {
    const client = await PGlite.create(options.dataDir);
    const pool = poolOf(client, lock && (() => lock.confirm()));
    return connection(kysely, pool, options.schema, async () => {
      await client.close();
      await lock?.release();
    });
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

/** A database in memory has no folder, and no other process can open it. */
async function lockOf(dataDir: string) {
  if (dataDir.startsWith('memory://')) return undefined;
  await mkdir(dataDir, { recursive: true });
  return lockDataDir(dataDir);
}

async function connectReady(
  options: Extract<SqlStoreOptions, { client: SqlClient }>,
): Promise<SqlConnection> {
  const { client, schema } = options;
  const kysely = loadOptional<typeof import('kysely')>('kysely', 'sqlStore({ client })');
  if (isKysely(client)) {
    // The application's plugins may rename columns; they must not affect the store's tables.
    return connection(kysely, client.withoutPlugins(), schema, keepOpen);
  }
  if (isPGlite(client)) {
    await client.waitReady;
    return connection(kysely, poolOf(client), schema, keepOpen);
  }
  if (isPool(client)) return connection(kysely, client, schema, keepOpen);
  throw new AgentError(
    'invalid_options',
    'sqlStore({ client }) takes a Pool of pg, a PGlite or a Kysely. A single pg Client will not do: runs work side by side.',
  );
}

/** The application closes its own client. */
function keepOpen(): Promise<void> {
  return Promise.resolve();
}

function connection(
  { Kysely, PostgresDialect, sql }: typeof import('kysely'),
  client: Kysely<unknown> | PostgresPool,
  schema: string | undefined,
  close: () => Promise<void>,
): SqlConnection {
  const db = isKysely(client)
    ? client
    : new Kysely<unknown>({ dialect: new PostgresDialect({ pool: client }) });
  const named = (name: string) => sql.id(...(schema === undefined ? [] : [schema]), name);
  return { db, sql, named, schema, close };
}

function isKysely(client: object): client is Kysely<unknown> {
  return 'withoutPlugins' in client && 'getExecutor' in client;
}

function isPGlite(client: object): client is PGliteClient {
  return 'waitReady' in client && 'query' in client;
}

/** A single `Client` also has `connect`, but no count of connections. */
function isPool(client: object): client is PostgresPool {
  return 'connect' in client && 'totalCount' in client;
}
