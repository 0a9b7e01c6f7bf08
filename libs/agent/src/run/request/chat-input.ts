import type { ModelSettings, ToolChoice } from '../../model';
import type { JsonObject, JsonValue } from '../../message';
import type { Tool, ToolDefinition } from '../../tool';
import type { UserContent } from './attachments';

/**
 * How a model is to word its answers.
 *
 * @example
 * const modelOptions: ModelOptions = { temperature: 0.2, reasoningEffort: 'low' };
 */
export type ModelOptions = Pick<ModelSettings, 'temperature' | 'topP' | 'reasoningEffort'>;

/** What a caller says: the body of `POST /chat`. */
export interface ChatInput {
  /**
   * What the user says; at most `limits.messageChars` characters, those in `content` included. It may
   * be missing where `content` says something.
   */
  readonly message?: string;
  /**
   * Texts, pictures and files, after `message`. What may be attached is bounded by
   * `limits.attachments`; a `url` is `https:` or `data:`, and is never fetched here.
   */
  readonly content?: readonly UserContent[];
  /** How the model is to word its answers; only what `limits.modelOptions` names. */
  readonly modelOptions?: ModelOptions;
  /** Continues a session; without it a new one begins. */
  readonly sessionId?: string;
  /**
   * A run of this session that the message replaces: the session goes on from before it. What the
   * run did is done; it and what followed are no part of the conversation any more.
   */
  readonly replaceRun?: string;
  /**
   * What the client calls its message, such as a UUID: at most 100 characters. Transcripts have it;
   * one of the library's own by default.
   */
  readonly messageId?: string;
  /** What the client knows of the user's surroundings; quoted to the model as untrusted text. */
  readonly environmentContext?: readonly string[];
  /**
   * Tools that run in the caller's browser; none by default. Their bounds are the module's
   * `frontendTools`.
   */
  readonly frontendTools?: readonly ToolDefinition[];
  /** One of the names in the module's `models`; its `model` by default. */
  readonly model?: string;
  /** Which tools the model may or must use in the first step; `auto` by default. */
  readonly toolChoice?: ToolChoice;
}

/** How the caller answers one pending action. */
export interface ChatAction {
  /** The pending action's call. */
  readonly callId: string;
  /** `approve` or `reject` an approval, or the `result` of a frontend tool. */
  readonly type: 'approve' | 'reject' | 'result';
  /** With `approve`: arguments that replace the model's, all of them. */
  readonly input?: JsonObject;
  /** With `reject`: why, for the model to read. */
  readonly reason?: string;
  /** With `result`: what the browser's tool returned. */
  readonly result?: JsonValue;
  /** With `result`: why the browser's tool failed. */
  readonly error?: string;
  /**
   * With `approve`: allow this tool for the rest of the session; never with `input`, never a
   * destructive tool.
   */
  readonly remember?: boolean;
}

/**
 * On whose behalf, and how, a run is carried out.
 *
 * @example
 * const options: ChatOptions = { principal: 'alice', signal: AbortSignal.timeout(60_000) };
 */
export interface ChatOptions {
  /** The logged-in user's id; `undefined` (the default) for anonymous callers. */
  readonly principal?: string;
  /**
   * The request that guards, pipes and routes see, and whose credentials routes are called with;
   * without one, guards that need it refuse.
   */
  readonly request?: unknown;
  /** Instances injected by type into provider tools, before the module's; none by default. */
  readonly context?: readonly object[];
  /** Tools of this run only, such as `defineTool` makes; none by default. */
  readonly tools?: readonly Tool[];
  /** Cancels the run when it aborts. */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds that the run goes on for after `signal` aborts, and for as long as somebody reads
   * its events by then; 0 by default.
   */
  readonly graceMs?: number;
}

/**
 * Options of `AgentService.start`, for those who serve a run over a wire.
 *
 * @example
 * const options: StartOptions = { principal: 'alice', frontend: 'wait' };
 */
export interface StartOptions extends ChatOptions {
  /**
   * What a call of a frontend tool does: `wait` keeps the run going until the result is delivered
   * or its time is up, `park` ends the request with `requires_action`.
   */
  readonly frontend?: 'wait' | 'park';
}
