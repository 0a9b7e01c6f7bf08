import type { TokenPrices } from '../../message';
import type { AgentService, ChatOptions, ResumeOptions } from '../../run';
import type { AttemptResult, CaseResult } from './eval-result';

/**
 * The agent under evaluation: an `AgentService`, or a client of one over HTTP.
 *
 * @experimental
 */
export type EvaluatedAgent = Pick<AgentService, 'chat' | 'resolve'> & {
  /** Ends a waiting run; its result is not read. */
  cancel(runId: string, options?: ResumeOptions): Promise<unknown>;
};

/**
 * How an evaluation runs.
 *
 * @experimental
 * @example
 * import type { EvaluateOptions } from 'nestjs-agent/evals';
 *
 * const options: EvaluateOptions = { repeat: 5, threshold: 0.8, concurrency: 2 };
 */
export interface EvaluateOptions {
  /** The options of a caller's runs, such as its principal and request; anonymous by default. */
  readonly caller?: (name: string | undefined) => ChatOptions | Promise<ChatOptions>;
  /** Only cases with this text in their names, in any letter case; all by default. */
  readonly filter?: string;
  /** A name in the module's `models`, in place of the file's. */
  readonly model?: string;
  /** The model's prices, for the cost of the evaluation. */
  readonly prices?: TokenPrices;
  /** Attempts per case; 1 by default. */
  readonly repeat?: number;
  /** The share of a case's attempts that must pass, above 0; 1, all of them, by default. */
  readonly threshold?: number;
  /** Attempts at the same time; 4 by default. */
  readonly concurrency?: number;
  /** Once the attempts cost so much, no more begin; needs `prices`. */
  readonly maxCost?: number;
  /** Milliseconds that one attempt may take; 120 000 by default. */
  readonly timeoutMs?: number;
  /** Ends the evaluation: attempts under way fail, and no more begin. */
  readonly signal?: AbortSignal;
  /** Called after each attempt. */
  readonly onAttempt?: (name: string, attempt: AttemptResult) => void;
  /** Called after the last attempt of each case, in the order in which the cases end. */
  readonly onCase?: (result: CaseResult) => void;
}
