import type { JsonObject, JsonValue } from './json';

/**
 * Data that a provider wants back unchanged with the next request, keyed by its author. The library
 * does not read it: it is stored in the journal and hidden from clients.
 */
export type ProviderData = Readonly<Record<string, JsonValue>>;

/** Text of a message or of a tool's result. */
export interface TextBlock {
  /** Which block it is. */
  readonly type: 'text';
  /** The text, often Markdown. */
  readonly text: string;
  /** Data from the model's provider, such as a signature, or the places it cites. */
  readonly providerData?: ProviderData;
}

/** A model's thoughts before its answer. */
export interface ReasoningBlock {
  /** Which block it is. */
  readonly type: 'reasoning';
  /** The thoughts, as far as the provider shows them. */
  readonly text: string;
  /** Such as a signature, or the thoughts in a form that only their provider can read. */
  readonly providerData?: ProviderData;
}

/** A call that a model requested, in an assistant's message. */
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
   * The model's raw arguments, if they are not a JSON object and could not be repaired with
   * certainty. `input` is then `{}`, and the call is answered with an error, never run.
   */
  readonly malformedInput?: string;
  /** Data that the provider wants back with the call. */
  readonly providerData?: ProviderData;
}

/** A page that the model cites as a source. */
export interface SourceBlock {
  /** Which block it is. */
  readonly type: 'source';
  /** Its address, `http` or `https`. */
  readonly url: string;
  /** Its title, if the provider gives one. */
  readonly title?: string;
}

/** A message for the user; the run continues. */
export interface Notice {
  /** Stable, such as `picture_not_kept`. */
  readonly code: string;
  /** Safe to show. */
  readonly message: string;
}

/**
 * A tool that the provider ran itself, such as its web search. It is displayed, and never run here.
 */
export interface ProviderToolBlock {
  /** Which block it is. */
  readonly type: 'provider_tool';
  /** The provider's id of the call. */
  readonly id: string;
  /** The provider's name of the tool. */
  readonly name: string;
  /** The arguments of the call. */
  readonly input?: JsonObject;
  /** The result, as far as it can be shown. */
  readonly output?: JsonValue;
  /** A message for the user, sent as a `notice`. */
  readonly notice?: Notice;
  /** Data that the provider wants back with it. */
  readonly providerData?: ProviderData;
}

/** A picture: either `data` (base64) with its `mediaType`, or a `url`. */
export interface ImageBlock {
  /** Which block it is. */
  readonly type: 'image';
  /** The file's name, for clients to show; models that see the picture are not sent it. */
  readonly name?: string;
  /** Such as `image/png`. */
  readonly mediaType?: string;
  /** The bytes in base64. */
  readonly data?: string;
  /** An address that the provider can fetch. */
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
  /** An address that the provider can fetch. */
  readonly url?: string;
}

/** The content of a tool result. */
export type ResultContent = string | readonly (TextBlock | ImageBlock | FileBlock)[];

/** The single result of a call, in the user's message after the call's. */
export interface ToolResultBlock {
  /** Which block it is. */
  readonly type: 'tool_result';
  /** The `id` of the call's `tool_use` block. */
  readonly tool_use_id: string;
  /** The content for the model. */
  readonly content: ResultContent;
  /** Whether `content` is an error message. */
  readonly is_error: boolean;
}

/** A part of a message. */
export type ContentBlock =
  | TextBlock
  | ReasoningBlock
  | ToolUseBlock
  | ToolResultBlock
  | ImageBlock
  | FileBlock
  | SourceBlock
  | ProviderToolBlock;
