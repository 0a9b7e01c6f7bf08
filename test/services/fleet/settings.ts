import type { AgentModuleOptions } from 'nestjs-agent';

/** The settings of one process. */
export interface Settings {
  readonly role: 'web' | 'worker' | 'both';
  readonly databaseUrl: string;
  readonly schema: string;
  /** The address for the bus, and for a queue in Redis; without it there is no bus. */
  readonly redisPort?: number;
  /** The server of the run queue; without one, runs execute where they were started. */
  readonly queue?: 'redis' | 'postgres';
  readonly leaseMs: number;
  readonly onDisconnect: Required<AgentModuleOptions>['onDisconnect'];
  readonly runsPerPrincipal: number;
  /** The file with the users who may no longer log in. */
  readonly revoked: string;
  readonly concurrency: number;
  readonly drainMs: number;
  /** How far this process's clock is ahead. */
  readonly aheadMs: number;
}

/** This process's own. */
export const settings = JSON.parse(process.argv[2] ?? '{}') as Settings;
