import type { JsonObject, JsonValue } from './json';

/**
 * What a provider wants back unchanged with the next request, by the name of who wrote it. Nobody
 * else reads it: it is kept in the journal, and is no part of what clients see.
 */
export type ProviderData = Readonly<Record<string, JsonValue>>;

/** Text of a message or of a tool's result. */
export interface TextBlock {
  /** Which block it is. */
  readonly type: 'text';
  /** The text, often Markdown. */
  readonly text: string;
  /** Of a model's: such as a signature, or the places that it cites. */
  readonly providerData?: ProviderData;
}

/** What a model thought before it answered. */
export interface ReasoningBlock {
  /** Which block it is. */
  readonly type: 'reasoning';
  /** The thoughts, as far as the provider shows them. */
  readonly text: string;
  /** Such as a signature, or the thoughts in a form that only their provider reads. */
  readonly providerData?: ProviderData;
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
  /** What the provider wants back with the call. */
  readonly providerData?: ProviderData;
}

/** A page that the model names as a source of what it says. */
export interface SourceBlock {
  /** Which block it is. */
  readonly type: 'source';
  /** Its address, `http` or `https`. */
  readonly url: string;
  /** Its title, where the provider gives one. */
  readonly title?: string;
}

/** Something that the user should know of, though the run goes on. */
export interface Notice {
  /** Stable, such as `picture_not_kept`. */
  readonly code: string;
  /** Safe to show. */
  readonly message: string;
}

/** A tool that the provider ran itself, such as its web search. It is shown, and never run here. */
export interface ProviderToolBlock {
  /** Which block it is. */
  readonly type: 'provider_tool';
  /** The provider's id of the call. */
  readonly id: string;
  /** What the provider calls the tool. */
  readonly name: string;
  /** What it was asked. */
  readonly input?: JsonObject;
  /** What it answered, as far as that can be shown. */
  readonly output?: JsonValue;
  /** What the user should know of it, told as a `notice`. */
  readonly notice?: Notice;
  /** What the provider wants back of it. */
  readonly providerData?: ProviderData;
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
  | TextBlock
  | ReasoningBlock
  | ToolUseBlock
  | ToolResultBlock
  | ImageBlock
  | FileBlock
  | SourceBlock
  | ProviderToolBlock;
