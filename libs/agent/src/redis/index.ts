/**
 * A bus between the processes of an application, on Redis 7 or Valkey. Needs the optional peer `ioredis`,
 * which nothing else of the package loads.
 *
 * @module nestjs-agent/redis
 */
export { redisBus } from './redis.bus';
export type { RedisBusOptions } from './redis-options';
