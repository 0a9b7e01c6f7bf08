import type { JsonObject, JsonValue, ToolDefinition } from './protocol';

/** A picture or a file of a message, as it is sent and stored. */
export interface Attachment {
  readonly type: 'image' | 'file';
  readonly mediaType?: string;
  /** The file's own name, shown as plain text. */
  readonly name?: string;
  /** The bytes in base64. */
  readonly data?: string;
  /** In place of the bytes; the page never loads it. */
  readonly url?: string;
}

/** Of `POST /chat/stream`. */
export interface ChatBody {
  readonly message?: string;
  readonly content?: readonly Attachment[];
  readonly sessionId?: string;
  /** The run of this session that the message replaces. */
  readonly replaceRun?: string;
  readonly environmentContext?: readonly string[];
  readonly frontendTools?: readonly ToolDefinition[];
}

/** The result of a browser tool, or its error. */
export interface BrowserOutcome {
  readonly result?: JsonValue;
  readonly error?: string;
}

/** Of `POST /chat/tool-result`. */
export interface ResultBody extends BrowserOutcome {
  readonly sessionId: string;
  readonly callId: string;
}

/** One of those in `POST /runs/:runId/actions`. */
export interface ActionBody extends BrowserOutcome {
  readonly callId: string;
  readonly type: 'approve' | 'reject' | 'result';
  readonly input?: JsonObject;
  readonly remember?: boolean;
}

/** A run, and its session, which is the credential of anonymous users. */
export interface RunAddress {
  readonly runId: string;
  readonly sessionId: string | undefined;
}
