import type { AgentService, ResumeOptions } from '../../run';

/**
 * The agent under evaluation: an `AgentService`, or a client of one over HTTP.
 *
 * @experimental
 */
export type EvaluatedAgent = Pick<AgentService, 'chat' | 'resolve'> & {
  /** Ends a waiting run; its result is not read. */
  cancel(runId: string, options?: ResumeOptions): Promise<unknown>;
};
