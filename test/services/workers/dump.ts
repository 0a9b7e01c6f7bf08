import type { Redis } from 'ioredis';
import { runSql } from '../postgres';

/** All that a Redis and a schema of PostgreSQL hold, a line for each key and row. */
export async function dumped(redis: Redis, schema: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const key of await redis.keys('*')) {
    lines.push(`${key} ${JSON.stringify(await valueOf(redis, key))}`);
  }
  const tables = await runSql<{ readonly name: string }>(
    'select table_name as name from information_schema.tables where table_schema = $1',
    [schema],
  );
  for (const { name } of tables) {
    const rows = await runSql<{ readonly row: string }>(
      `select t::text as row from ${schema}.${name} as t`,
    );
    lines.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return lines;
}

async function valueOf(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'hash':
      return redis.hgetall(key);
    case 'stream':
      return redis.xrange(key, '-', '+');
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'zset':
      return redis.zrange(key, '0', '-1');
    case 'set':
      return redis.smembers(key);
    default:
      return redis.get(key);
  }
}
