/**
 * A queue of runs on BullMQ: some processes accept requests, others execute the runs. Needs the
 * optional peer `bullmq`, with `ioredis` on Redis and `pg` on PostgreSQL.
 *
 * @module nestjs-agent/bullmq
 */
export type {
  BullmqPostgresConnection,
  BullmqRedisConnection,
  BullmqRunsOptions,
} from './bullmq-options';
export { bullmqRuns } from './bullmq.runs';
