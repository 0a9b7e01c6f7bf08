export const ENVIRONMENTS = ['production', 'staging', 'development'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export interface Application {
  readonly name: string;
  /** The id of the user who owns it. */
  readonly owner: string;
  readonly team: string;
  readonly environment: Environment;
  readonly status: 'healthy' | 'degraded' | 'stopped';
  readonly version: string;
  /** Versions that ran before, the latest last. */
  readonly previousVersions: readonly string[];
  readonly description: string;
}
