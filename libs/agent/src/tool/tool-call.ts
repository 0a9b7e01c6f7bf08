import type { JsonObject, ResultContent } from '../message';
import type { Tool } from './tool';

export type ToolResponseStatus =
  | 'pending'
  | 'awaiting_approval'
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
  readonly message: string;
}

/** A model's wish to use a tool, checked, with the response that will answer it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  /** Missing where no tool has that name. */
  readonly tool?: Tool;
  readonly response: ToolResponse;
}

/** The one answer to a call. It is created with the call and filled by `execute()`. */
export interface ToolResponse {
  readonly call: ToolCall;
  readonly status: ToolResponseStatus;
  /** What the tool returned, before it became text for the model. */
  readonly result?: unknown;
  readonly error?: ToolFailure;
  /** What the model reads; defined once the response is settled. */
  readonly content?: ResultContent;
  readonly durationMs: number;
  readonly attempts: number;
  readonly logs: readonly string[];
  /**
   * Runs the call, once; resolves with this response when it is settled and never rejects for what
   * the tool did.
   *
   * @throws AgentError `not_pending` where the call is not `pending` (refused, declined, already run)
   */
  execute(): Promise<ToolResponse>;
}
