import type { Redis } from 'ioredis';
import type { RunJob } from 'nestjs-agent/types';
import { runSql } from '../postgres';

/** A queue's jobs in their storage, as an attacker with write access changes them. */
export interface StoredJobs {
  all(): Promise<readonly RunJob[]>;
  /** Changes the data of a job. */
  put(job: RunJob): Promise<unknown>;
}

const PREFIX = '{agent}:runs:';

export function jobsInRedis(redis: Redis): StoredJobs {
  return {
    all: async () => {
      // Others hold the locks of jobs.
      const keys = (await redis.keys(`${PREFIX}run_*`)).filter((key) => /\.\d+$/.test(key));
      const texts = await Promise.all(keys.map((key) => redis.hget(key, 'data')));
      return texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as RunJob]));
    },
    put: (job) => redis.hset(`${PREFIX}${idOf(job)}`, 'data', JSON.stringify(job)),
  };
}

/** @param schema BullMQ's */
export function jobsInPostgres(schema: string): StoredJobs {
  return {
    all: async () => {
      const rows = await runSql<{ readonly data: RunJob }>(`select data from ${schema}.job`);
      return rows.map(({ data }) => data);
    },
    put: (job) =>
      runSql(`update ${schema}.job set data = $1 where id = $2`, [JSON.stringify(job), idOf(job)]),
  };
}

function idOf({ runId, attempt }: RunJob): string {
  return `${runId}.${attempt}`;
}
