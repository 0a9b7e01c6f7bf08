import { spawnSync } from 'node:child_process';
import { Redis } from 'ioredis';
import { packModules } from './fleet/packed-modules';
import { databaseUrl, runSql } from './postgres';
import { redisUrl } from './redis/server';

/** Nothing is skipped in silence: without a server the run says so, and fails. */
export default async function requireServices(): Promise<void> {
  await requirePostgres();
  await requireRedis();
  await packModules();
}

async function requirePostgres(): Promise<void> {
  try {
    await runSql('select 1');
  } catch (error) {
    const { host, pathname } = new URL(databaseUrl());
    const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    process.stderr.write(
      `\ntest:services could not reach PostgreSQL at ${host}${pathname}${reason}. Nothing was tested.\n` +
        'Start a server there, or set DATABASE_URL to one that is running.\n\n',
    );
    process.exit(1);
  }
}

/** Some suites start servers of their own, so the program is needed, too. */
async function requireRedis(): Promise<void> {
  const client = new Redis(redisUrl(), { lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { error } = spawnSync('redis-server', ['--version']);
    if (error) throw error;
  } catch (error) {
    const reason = error instanceof Error ? ` (${error.message})` : '';
    process.stderr.write(
      `\ntest:services needs Redis 7 at ${new URL(redisUrl()).host}, and the program redis-server${reason}. Nothing was tested.\n` +
        'Install and start a server, or set REDIS_URL to one that is running.\n\n',
    );
    process.exit(1);
  } finally {
    client.disconnect();
  }
}
