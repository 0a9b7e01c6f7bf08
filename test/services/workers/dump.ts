import type { Redis } from 'ioredis';
import { runSql } from '../postgres';

/** The whole content of a Redis, one line for each key. */
export async function dumpedRedis(redis: Redis): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const key of await redis.keys('*')) {
    lines.push(`${key} ${JSON.stringify(await valueOf(redis, key))}`);
  }
  return lines;
}

/** The whole content of a PostgreSQL schema, one line for each row; empty without the schema. */
export async function dumpedSchema(schema: string): Promise<readonly string[]> {
  const tables = await runSql<{ readonly name: string }>(
    'select table_name as name from information_schema.tables where table_schema = $1',
    [schema],
  );
  const lines: string[] = [];
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
