// The back end's own types: what it sends and what is shown here cannot drift apart.
import type { AgentEvent, CallOutcome, JsonObject, Message } from '../../../agent/src/message';
import type { ToolDefinition } from '../../../agent/src/tool';

export type {
  AgentEvent,
  CallOutcome,
  ContentBlock,
  JsonObject,
  JsonValue,
  Message,
  PendingAction,
  ResultContent,
  RunStatus,
  StopReason,
  ToolKind,
  Usage,
} from '../../../agent/src/message';
export type { ToolDefinition } from '../../../agent/src/tool';

/** As in `GET /tools`. */
export interface ToolSummary {
  readonly name: string;
  readonly description: string;
  readonly kind: string;
  readonly readOnly: boolean;
  readonly destructive: boolean;
}

/** As in `GET /tools/:name`. */
export interface ToolDetail extends ToolSummary {
  readonly input_schema: ToolDefinition['input_schema'];
  readonly requestExample: JsonObject;
}

/** As in `GET /sessions`. */
export interface SessionSummary {
  readonly sessionId: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly permissions: readonly string[];
  readonly title?: string;
  readonly run?: { readonly runId: string; readonly status: RunSnapshot['status'] };
}

/** As in `GET /sessions/:id/messages`, as far as it is shown. */
export interface StoredMessage extends Message {
  /** The run that it belongs to; missing where that is not known. */
  readonly runId?: string;
  /** On a message with results: what each call came to. */
  readonly outcomes?: Readonly<Record<string, CallOutcome>>;
}

/** As in `GET /health`. */
export interface Health {
  readonly status: string;
  readonly model: string;
  /** Set where the model is a stand-in. */
  readonly notice?: string;
}

/** As in `GET /runs/:runId`, as far as it is shown. */
export interface RunSnapshot {
  readonly sessionId: string;
  readonly runId: string;
  readonly status: FinishedEvent['status'];
  readonly message: string;
  readonly stopReason?: FinishedEvent['stopReason'];
  readonly pendingActions: FinishedEvent['pendingActions'];
  readonly usage: FinishedEvent['usage'];
}

export type FinishedEvent = Extract<AgentEvent, { type: 'run.finished' }>;
