// #region cluster
import type { Cluster } from 'ioredis';
import type { RunBus } from 'nestjs-agent';
import { redisBus } from 'nestjs-agent/redis';

/** The bus opens connections of its own with these settings; close the client yourself. */
export function busOn(client: Cluster): RunBus {
  return redisBus({ client, prefix: 'shop', retainMs: 120_000 });
}
// #endregion cluster
