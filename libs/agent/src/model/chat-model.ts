import type { FinishReason, JsonObject, Message, Usage } from '../message';
import type { JsonSchema, ToolDefinition } from '../tool';

/** Which tools the model may or must use in one call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

export interface ModelCapabilities {
  /** Calls tools natively; `react()` gives the rest a text protocol. */
  readonly tools: boolean;
  readonly images?: boolean;
  readonly files?: boolean;
  /** A stand-in that is no language model, so that clients can say so. */
  readonly offline?: boolean;
}

/** One call of a model. */
export interface ModelRequest {
  readonly system?: string;
  /** A valid history: every `tool_use` is followed by its one `tool_result`. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice?: ToolChoice;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly stop?: readonly string[];
  /** Where the answer has to be JSON of this schema. */
  readonly responseSchema?: { readonly name: string; readonly schema: JsonSchema };
}

/** What a model says, in the order it says it. A stream ends with exactly one `finish`. */
export type ModelEvent =
  | { readonly type: 'text.delta'; readonly delta: string }
  | { readonly type: 'reasoning.delta'; readonly delta: string }
  /** Closes the reasoning so far, with the provider's proof of it. */
  | { readonly type: 'reasoning.signature'; readonly signature: string }
  /** A fragment of a call's arguments, once its id and name are known. */
  | {
      readonly type: 'tool_use.delta';
      readonly id: string;
      readonly name: string;
      readonly delta: string;
    }
  /** A whole call. `malformedInput` as in `ToolUseBlock`. */
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: JsonObject;
      readonly malformedInput?: string;
    }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly usage?: Usage };

/**
 * A language model. Everything else (text, calls, structured output) derives from its stream.
 *
 * - A stream ends with exactly one `finish`, or it throws: a `ModelError` where the provider fails
 *   (an empty stream and one that was cut off included).
 * - When `signal` aborts, the stream stops promptly, lets go of its connection and throws an error
 *   whose `name` is `AbortError`. It never finishes as if nothing had happened.
 * - Whoever stops iterating early (`break`) lets go of the connection too.
 * - Ids of calls are unique within the request's history and the answer. A call whose arguments
 *   are unusable is passed on with `malformedInput`, never dropped.
 */
export interface ChatModel {
  /** The model's name, as clients see it. */
  readonly name: string;
  readonly capabilities: ModelCapabilities;
  stream(
    request: ModelRequest,
    options: { readonly signal: AbortSignal },
  ): AsyncIterable<ModelEvent>;
}
