import type { ToolChoice } from '../model';
import type { JsonObject, JsonValue } from '../message';
import type { Tool, ToolDefinition } from '../tool';

/** What a caller says: the body of `POST /chat`. */
export interface ChatInput {
  readonly message: string;
  /** Continues a session; without it a new one begins. */
  readonly sessionId?: string;
  /** What the client knows of the user's surroundings; quoted to the model as untrusted text. */
  readonly environmentContext?: readonly string[];
  /** Tools that run in the caller's browser. */
  readonly frontendTools?: readonly ToolDefinition[];
  /** One of the names in the module's `models`. */
  readonly model?: string;
  /** Applies to the first step. */
  readonly toolChoice?: ToolChoice;
}

/** How the caller answers one pending action. */
export interface ChatAction {
  readonly callId: string;
  readonly type: 'approve' | 'reject' | 'result';
  /** With `approve`: arguments that replace the model's. */
  readonly input?: JsonObject;
  /** With `reject`: why, for the model to hear. */
  readonly reason?: string;
  /** With `result`: what the browser's tool returned. */
  readonly result?: JsonValue;
  /** With `result`: why the browser's tool failed. */
  readonly error?: string;
  /** With `approve`: allow this tool for the rest of the session. */
  readonly remember?: boolean;
}

/** On whose behalf, and how, a run is carried out. */
export interface ChatOptions {
  /** Who is logged in; `undefined` for nobody. */
  readonly principal?: string;
  /** The request that guards, pipes and routes see. */
  readonly request?: unknown;
  /** Instances injected by type into provider tools, before the module's. */
  readonly context?: readonly object[];
  /** Tools of this run only. */
  readonly tools?: readonly Tool[];
  /** Cancels the run. */
  readonly signal?: AbortSignal;
}

/** Options of `start`, for those who serve a run over a wire. */
export interface StartOptions extends ChatOptions {
  /**
   * What a call of a frontend tool does: `wait` keeps the run going until the result is delivered
   * or its time is up, `park` ends the request with `requires_action`.
   */
  readonly frontend?: 'wait' | 'park';
}
