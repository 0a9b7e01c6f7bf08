import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { Client } from 'pg';

const DEFAULT_URL = 'postgres://127.0.0.1:5432/test';

/** Where the tests' PostgreSQL is; without a user it is the system's, as for `psql`. */
export function databaseUrl(): string {
  const url = new URL(process.env['DATABASE_URL'] ?? DEFAULT_URL);
  if (url.username === '') url.username = process.env['PGUSER'] ?? userInfo().username;
  return url.href;
}

/** A schema's name that no other run of the tests has. */
export function newSchemaName(): string {
  return `agent_test_${randomBytes(6).toString('hex')}`;
}

/** Runs statements on a connection of their own. */
export async function runSql<Row>(text: string, values: unknown[] = []): Promise<readonly Row[]> {
  const client = new Client({ connectionString: databaseUrl(), connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rows } = await client.query<Row & Record<string, unknown>>(text, values);
    return rows;
  } finally {
    await client.end();
  }
}

export async function dropSchema(schema: string): Promise<void> {
  await runSql(`drop schema if exists ${schema} cascade`);
}
