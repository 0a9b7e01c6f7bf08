// The back end's own types: the chat and the server cannot drift apart.
import type { AgentEvent, CallOutcome, JsonObject, Message } from '../../../agent/src/message';
import type { ToolDefinition } from '../../../agent/src/tool';

export type * from '../../../agent/src/message';
export type { ToolDefinition };

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

/** As in `GET /sessions`, as far as it is shown. */
export interface SessionSummary {
  readonly sessionId: string;
  readonly lastUsedAt: string;
  readonly title?: string;
  readonly run?: { readonly runId: string; readonly status: RunSnapshot['status'] };
}

/** As in `GET /sessions/:id/messages`, as far as it is shown. */
export interface StoredMessage extends Message {
  /** The run that it belongs to; missing where that is not known. */
  readonly runId?: string;
  /** On a message with results: the outcome of each call. */
  readonly outcomes?: Readonly<Record<string, CallOutcome>>;
}

/** As in `GET /health`. */
export interface Health {
  readonly model: string;
  /** Set where the model is a stand-in. */
  readonly notice?: string;
}

export type FinishedEvent = Extract<AgentEvent, { type: 'run.finished' }>;

/** As in `GET /runs/:runId`, as far as it is shown. */
export interface RunSnapshot extends Pick<FinishedEvent, 'status' | 'message'> {
  readonly runId: string;
}
