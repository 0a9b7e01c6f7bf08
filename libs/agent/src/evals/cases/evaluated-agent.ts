import type { AgentService, ResumeOptions } from '../../run';

/**
 * The agent that is evaluated: an `AgentService`, or what asks one over HTTP.
 *
 * @experimental
 */
export type EvaluatedAgent = Pick<AgentService, 'chat' | 'resolve'> & {
  /** Ends a run that waits; what it answers is not read. */
  cancel(runId: string, options?: ResumeOptions): Promise<unknown>;
};
