import { join } from 'node:path';
import type { SessionStore } from 'nestjs-agent';
import { sqlStore } from 'nestjs-agent/sql';

type Environment = Readonly<Record<string, string | undefined>>;

const DATA_DIR = '.data';

/**
 * Where the demo keeps its sessions: in the PostgreSQL of `DATABASE_URL`, or else in an embedded one
 * in a folder, `.data` or `DATA_DIR`. Neither loses anything when the demo stops.
 */
export function storeFromEnvironment(environment: Environment): SessionStore {
  const { DATABASE_URL: connectionString, DATA_DIR: dataDir } = environment;
  if (connectionString) return sqlStore({ connectionString });
  return sqlStore({ dataDir: join(dataDir || DATA_DIR, 'sessions') });
}
