import type {
  JsonObject,
  PendingAction,
  ResultContent,
  RunStatus,
  StopReason,
  Usage,
} from '../../message';

/** One call of a run, as the caller is told of it. */
export interface ToolCallSummary {
  /** The call's id. */
  readonly id: string;
  /** The tool's name. */
  readonly name: string;
  /** The arguments. */
  readonly input: JsonObject;
  /** What the model read; missing while the call is open. */
  readonly output?: ResultContent;
  /** Whether `output` says why there is no result. */
  readonly isError: boolean;
  /** Milliseconds that the tool took; 0 while the call is open, or where it did not run. */
  readonly durationMs: number;
}

/** Why a run failed, in words that are safe to show. */
export interface RunFailure {
  /** Stable: a `ModelErrorCode`, `shutdown`, `lease_lost`, `internal_error`, … */
  readonly code: string;
  /** Safe to show. */
  readonly message: string;
  /** The HTTP status that fits. */
  readonly httpStatus: number;
  /** Milliseconds after which trying again may help, where the provider said so. */
  readonly retryAfterMs?: number;
}

/** What became of a run: the body of the answer to `POST /chat`. */
export interface ChatResult {
  /** The session, to go on with; empty of a run that is not kept. */
  readonly sessionId: string;
  /** The run. */
  readonly runId: string;
  /** Where the run stands. */
  readonly status: RunStatus;
  /** The text of the last assistant message. */
  readonly message: string;
  /** Why it stopped; missing while it runs. */
  readonly stopReason?: StopReason;
  /** Its calls so far, in order. */
  readonly toolCalls: readonly ToolCallSummary[];
  /** What it waits for; empty unless `status` is `requires_action`. */
  readonly pendingActions: readonly PendingAction[];
  /** What its model calls consumed together. */
  readonly usage: Usage;
  /** The total of `usage`. */
  readonly tokensUsed: number;
  /** When this was said; ISO 8601. */
  readonly timestamp: string;
  /** Set where `status` is `failed`. */
  readonly error?: RunFailure;
}
