import type { JsonObject, ResultContent } from '../message';
import type { Tool } from './tool';

/**
 * The status of a call.
 *
 * - `pending`: all checks passed, `execute()` may run it
 * - `awaiting_approval`: its caller must approve it first
 * - `awaiting_result`: another party was asked for the result, which is still missing
 * - `executing`: it is running
 * - `executed`: it has a result
 * - `failed`: its arguments were rejected, or the tool threw, timed out or returned an error
 * - `interrupted`: it was cancelled before or during execution
 * - `not_found`: no tool of that name is offered
 * - `declined`: refused by a permission, an inactive group or the caller
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

/** The reason a call did not succeed, in words that the model may read. */
export interface ToolFailure {
  /** Stable: `invalid_arguments`, `not_found`, `permission_denied`, `timeout`, … */
  readonly code: string;
  /** For the model to read. */
  readonly message: string;
  /** The OAuth scopes that the caller's token lacks, if they were named. */
  readonly scopes?: readonly string[];
}

/** A validated tool call of the model, with its response. */
export interface ToolCall {
  /** The model's id for the call, or a generated one. */
  readonly id: string;
  /** The tool's name. */
  readonly name: string;
  /**
   * The arguments as executed: the model's arguments without `null` placeholders, with defaults;
   * `{}` if they were not a JSON object.
   */
  readonly input: JsonObject;
  /** Missing if no tool has that name. */
  readonly tool?: Tool | undefined;
  /** The response to the call. */
  readonly response: ToolResponse;
}

/** The single response to a call, created with it and filled by `execute()`. */
export interface ToolResponse {
  /** The call it answers. */
  readonly call: ToolCall;
  /** The status of the call. */
  readonly status: ToolResponseStatus;
  /** The tool's return value, before its conversion for the model. */
  readonly result?: unknown;
  /** Why it did not succeed; missing on success, and before it has run. */
  readonly error?: ToolFailure;
  /** The content for the model; defined once the response is settled. */
  readonly content?: ResultContent;
  /** Whole milliseconds that `execute()` took, pauses between attempts included; otherwise 0. */
  readonly durationMs: number;
  /** The attempts: 0 before the call runs, and for a cached result. */
  readonly attempts: number;
  /** Log lines for developers: repeated attempts, a cached result. */
  readonly logs: readonly string[];
  /**
   * Runs the call once; resolves with this response, and never rejects because of the tool.
   *
   * @throws AgentError `not_pending` if the call is not `pending` (refused, declined, already run)
   */
  execute(): Promise<ToolResponse>;
}
