import type { JsonObject, ResultContent } from '../message';
import type { Tool } from './tool';

/**
 * Where a call stands.
 *
 * - `pending`: its checks are passed, `execute()` may run it
 * - `awaiting_approval`: its caller has to agree first
 * - `awaiting_result`: somebody else was asked, and has not answered yet
 * - `executing`: it runs
 * - `executed`: it has a result
 * - `failed`: its arguments were refused, or the tool threw, ran out of time or answered an error
 * - `interrupted`: it was cancelled, before or while it ran
 * - `not_found`: no tool of that name is on offer
 * - `declined`: a permission, a sleeping group or the caller refused it
 */
export type ToolResponseStatus =
  | 'pending'
  | 'awaiting_approval'
  | 'awaiting_result'
  | 'executing'
  | 'executed'
  | 'failed'
  | 'interrupted'
  | 'not_found'
  | 'declined';

/** Why a call did not succeed, in words the model may read. */
export interface ToolFailure {
  /** Stable: `invalid_arguments`, `not_found`, `permission_denied`, `timeout`, … */
  readonly code: string;
  /** For the model to read. */
  readonly message: string;
}

/** A model's wish to use a tool, checked, with the response that will answer it. */
export interface ToolCall {
  /** The model's id for the call, or a fresh one. */
  readonly id: string;
  /** The tool's name. */
  readonly name: string;
  /**
   * The arguments as they are carried out: the model's without what counts as left out, with
   * defaults; `{}` where they were no JSON object.
   */
  readonly input: JsonObject;
  /** Missing where no tool has that name. */
  readonly tool?: Tool;
  /** Its one answer. */
  readonly response: ToolResponse;
}

/** The one answer to a call. It is created with the call and filled by `execute()`. */
export interface ToolResponse {
  /** The call that it answers. */
  readonly call: ToolCall;
  /** Where the call stands. */
  readonly status: ToolResponseStatus;
  /** What the tool returned, before it became text for the model. */
  readonly result?: unknown;
  /** Why the call did not succeed; missing where it did, or has not run yet. */
  readonly error?: ToolFailure;
  /** What the model reads; defined once the response is settled. */
  readonly content?: ResultContent;
  /**
   * Milliseconds from the start of `execute()` to its end, pauses between attempts included; else
   * 0.
   */
  readonly durationMs: number;
  /** How often the tool was run: 0 before it is, and of an answer from the cache. */
  readonly attempts: number;
  /** What happened on the way, for developers: repeated attempts, an answer from the cache. */
  readonly logs: readonly string[];
  /**
   * Runs the call, once; resolves with this response when it is settled and never rejects for what
   * the tool did.
   *
   * @throws AgentError `not_pending` where the call is not `pending` (refused, declined, already run)
   */
  execute(): Promise<ToolResponse>;
}
