import type { JsonObject } from './json';

/** Text of a message or of a tool's result. */
export interface TextBlock {
  /** Which block it is. */
  readonly type: 'text';
  /** The text, often Markdown. */
  readonly text: string;
}

/** What a model thought before it answered. */
export interface ReasoningBlock {
  /** Which block it is. */
  readonly type: 'reasoning';
  /** The thoughts, as far as the provider shows them. */
  readonly text: string;
  /** Opaque proof that some providers want back with the next call, unchanged. */
  readonly signature?: string;
}

/** A call that a model asked for; it stands in an assistant's message. */
export interface ToolUseBlock {
  /** Which block it is. */
  readonly type: 'tool_use';
  /** The call's id, unique within the conversation; its result names it. */
  readonly id: string;
  /** The tool's name. */
  readonly name: string;
  /** The arguments. */
  readonly input: JsonObject;
  /**
   * The arguments as the model wrote them, where they are no JSON object and could not be repaired
   * with certainty. `input` is then `{}`, and the call is answered with an error, never run.
   */
  readonly malformedInput?: string;
}

/** A picture: either `data` (base64) with its `mediaType`, or a `url`. */
export interface ImageBlock {
  /** Which block it is. */
  readonly type: 'image';
  /** Such as `image/png`. */
  readonly mediaType?: string;
  /** The bytes in base64. */
  readonly data?: string;
  /** Where the provider can fetch it. */
  readonly url?: string;
}

/** A file: either `data` (base64) with its `mediaType`, or a `url`. */
export interface FileBlock {
  /** Which block it is. */
  readonly type: 'file';
  /** The file's name, for the model to read. */
  readonly name?: string;
  /** Such as `application/pdf`. */
  readonly mediaType?: string;
  /** The bytes in base64. */
  readonly data?: string;
  /** Where the provider can fetch it. */
  readonly url?: string;
}

/** What a tool result may hold. */
export type ResultContent = string | readonly (TextBlock | ImageBlock | FileBlock)[];

/** The one result of a call; it stands in the user's message after the call's. */
export interface ToolResultBlock {
  /** Which block it is. */
  readonly type: 'tool_result';
  /** The `id` of the call's `tool_use` block. */
  readonly tool_use_id: string;
  /** What the model reads. */
  readonly content: ResultContent;
  /** Whether `content` says why there is no result. */
  readonly is_error: boolean;
}

/** A part of a message. */
export type ContentBlock =
  TextBlock | ReasoningBlock | ToolUseBlock | ToolResultBlock | ImageBlock | FileBlock;
