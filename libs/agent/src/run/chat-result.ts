import type {
  JsonObject,
  PendingAction,
  ResultContent,
  RunStatus,
  StopReason,
  Usage,
} from '../message';

/** One call of a run, as the caller is told of it. */
export interface ToolCallSummary {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  /** What the model read; missing while the call is open. */
  readonly output?: ResultContent;
  readonly isError: boolean;
  readonly durationMs: number;
}

/** Why a run failed, in words that are safe to show. */
export interface RunFailure {
  readonly code: string;
  readonly message: string;
  /** The HTTP status that fits. */
  readonly httpStatus: number;
  readonly retryAfterMs?: number;
}

/** What became of a run: the body of the answer to `POST /chat`. */
export interface ChatResult {
  readonly sessionId: string;
  readonly runId: string;
  readonly status: RunStatus;
  /** The text of the last assistant message. */
  readonly message: string;
  readonly stopReason?: StopReason;
  readonly toolCalls: readonly ToolCallSummary[];
  readonly pendingActions: readonly PendingAction[];
  readonly usage: Usage;
  readonly tokensUsed: number;
  /** ISO 8601. */
  readonly timestamp: string;
  /** Set where `status` is `failed`. */
  readonly error?: RunFailure;
}
