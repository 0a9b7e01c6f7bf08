import { type AgentModuleOptions } from 'nestjs-agent';
import { bullmqRuns, type BullmqRunsOptions } from 'nestjs-agent/bullmq';
import { redisBus } from 'nestjs-agent/redis';

type Environment = Readonly<Record<string, string | undefined>>;
type Role = 'web' | 'worker' | 'both';

/**
 * The options for several processes of an application: with `REDIS_URL`, a bus and
 * a queue on it, where this process has the `ROLE` of a web process, a worker or both.
 *
 * @param prefix of the application's keys in Redis
 */
export function processesFromEnvironment(
  environment: Environment,
  { prefix, credentials }: Required<Pick<BullmqRunsOptions, 'prefix' | 'credentials'>>,
): Pick<AgentModuleOptions, 'bus' | 'runs'> {
  const { REDIS_URL: url, ROLE } = environment;
  if (!url) return {};
  const role = roleOf(ROLE);
  return {
    bus: redisBus({ url, prefix }),
    runs: bullmqRuns({ connection: { url }, prefix, role, credentials }),
  };
}

function roleOf(text: string | undefined): Role {
  switch (text || 'both') {
    case 'web':
      return 'web';
    case 'worker':
      return 'worker';
    case 'both':
      return 'both';
    default:
      throw new Error(`ROLE must be web, worker or both, not ${text}.`);
  }
}
