import type { JsonObject } from './json';

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

/** What a model thought before it answered. */
export interface ReasoningBlock {
  readonly type: 'reasoning';
  readonly text: string;
  /** Opaque proof that some providers want back with the next call, unchanged. */
  readonly signature?: string;
}

export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  /**
   * The arguments as the model wrote them, where they are no JSON object and could not be repaired
   * with certainty. `input` is then `{}`, and the call is answered with an error, never run.
   */
  readonly malformedInput?: string;
}

/** A picture: either `data` (base64) with its `mediaType`, or a `url`. */
export interface ImageBlock {
  readonly type: 'image';
  readonly mediaType?: string;
  readonly data?: string;
  readonly url?: string;
}

/** A file: either `data` (base64) with its `mediaType`, or a `url`. */
export interface FileBlock {
  readonly type: 'file';
  readonly name?: string;
  readonly mediaType?: string;
  readonly data?: string;
  readonly url?: string;
}

/** What a tool result may hold. */
export type ResultContent = string | readonly (TextBlock | ImageBlock | FileBlock)[];

export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: ResultContent;
  readonly is_error: boolean;
}

export type ContentBlock =
  TextBlock | ReasoningBlock | ToolUseBlock | ToolResultBlock | ImageBlock | FileBlock;
