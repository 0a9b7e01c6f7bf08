import type { JsonObject, RunStatus, Usage } from '../../message';

/**
 * A call that the agent made. Its texts come from the model: show them as such.
 *
 * @experimental
 */
export interface MadeCall {
  /** The tool's name. */
  readonly name: string;
  /** The arguments. */
  readonly input: JsonObject;
  /** Whether it waited for an answer, such as the caller's approval. */
  readonly asked: boolean;
  /** Its result, if that was an error; at most 300 characters. */
  readonly error?: string;
  /** The asked agent that made it; missing for calls of the agent itself. */
  readonly agent?: string;
}

/**
 * The result of one turn.
 *
 * @experimental
 */
export interface TurnResult {
  /** The user's message. */
  readonly message: string;
  /** The calls that the agent made, in order. */
  readonly calls: readonly MadeCall[];
  /** The agent's answer. */
  readonly answer: string;
  /** The run's status; `requires_action` if the turn ended at a call that asks. */
  readonly status: RunStatus;
  /** The conversation. */
  readonly sessionId: string;
  /** The run. */
  readonly runId: string;
  /** The tokens of its model calls. */
  readonly usage: Usage;
  /** Differences from the expectations, one text each; empty without any. */
  readonly problems: readonly string[];
}

/**
 * One conversation of a case.
 *
 * @experimental
 */
export interface AttemptResult {
  /** Counts the attempts of its case from 1. */
  readonly attempt: number;
  /** Whether all turns were as expected. */
  readonly passed: boolean;
  /** The turns until the first one with problems. */
  readonly turns: readonly TurnResult[];
  /** Set if the agent could not be asked, or its run failed. */
  readonly error?: string;
  /** The tokens of all turns. */
  readonly usage: Usage;
  /** The cost of the tokens, in the currency of the prices; missing without prices. */
  readonly cost?: number;
  /** Milliseconds from the first message to the last answer. */
  readonly durationMs: number;
}

/**
 * `skipped`: not all attempts were made, because the cost reached its limit or the caller stopped.
 *
 * @experimental
 */
export type CaseOutcome = 'passed' | 'failed' | 'skipped';

/**
 * The result of one case.
 *
 * @experimental
 */
export interface CaseResult {
  /** The case's name. */
  readonly name: string;
  /** Its caller. */
  readonly as?: string;
  /** Whether enough attempts passed. */
  readonly outcome: CaseOutcome;
  /** Its attempts, in order. */
  readonly attempts: readonly AttemptResult[];
}

/**
 * The result of an evaluation.
 *
 * @experimental
 */
export interface EvalSummary {
  /** The model's name in the module's `models`; missing for the default one. */
  readonly model?: string;
  /** Whether every case passed. */
  readonly passed: boolean;
  /** The number of cases by outcome. */
  readonly counts: Readonly<Record<CaseOutcome, number>>;
  /** The cases, in the order of the file. */
  readonly cases: readonly CaseResult[];
  /** The tokens of all attempts. */
  readonly usage: Usage;
  /** The cost of the tokens; missing without prices. */
  readonly cost?: number;
  /** Milliseconds of the whole evaluation. */
  readonly durationMs: number;
  /** Attempts per case. */
  readonly repeat: number;
  /** The share of attempts that had to pass. */
  readonly threshold: number;
}
