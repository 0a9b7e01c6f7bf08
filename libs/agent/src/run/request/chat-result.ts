import type {
  JsonObject,
  PendingAction,
  ResultContent,
  RunStatus,
  StopReason,
  Usage,
} from '../../message';

/** One call of a run, for the caller. */
export interface ToolCallSummary {
  /** The call's id. */
  readonly id: string;
  /** The tool's name. */
  readonly name: string;
  /** The arguments. */
  readonly input: JsonObject;
  /** The result that the model received; missing while the call is open. */
  readonly output?: ResultContent;
  /** Whether `output` is an error. */
  readonly isError: boolean;
  /** Whole milliseconds of the execution; 0 while the call is open or if it did not run. */
  readonly durationMs: number;
}

/** The error of a failed run; safe to show. */
export interface RunFailure {
  /** Stable: a `ModelErrorCode`, `shutdown`, `lease_lost`, `internal_error`, … */
  readonly code: string;
  /** Safe to show. */
  readonly message: string;
  /** The HTTP status that fits. */
  readonly httpStatus: number;
  /** Milliseconds to wait before a retry, if the provider specified it. */
  readonly retryAfterMs?: number;
}

/** The result of a run: the response body of `POST /chat`. */
export interface ChatResult {
  /** The session's id; empty for stateless runs. */
  readonly sessionId: string;
  /** The run's id. */
  readonly runId: string;
  /** The run's status. */
  readonly status: RunStatus;
  /** The text of the last assistant message. */
  readonly message: string;
  /** The reason of the stop; missing while the run is active. */
  readonly stopReason?: StopReason;
  /** Its calls so far, in order. */
  readonly toolCalls: readonly ToolCallSummary[];
  /** The pending actions; empty unless `status` is `requires_action`. */
  readonly pendingActions: readonly PendingAction[];
  /** The usage of all model calls. */
  readonly usage: Usage;
  /** The total of `usage`. */
  readonly tokensUsed: number;
  /** Time of this result; ISO 8601. */
  readonly timestamp: string;
  /** Set if `status` is `failed`. */
  readonly error?: RunFailure;
}
