import type {
  FinishReason,
  JsonObject,
  JsonValue,
  Message,
  ModelUsage,
  Notice,
  ProviderData,
} from '../message';
import type { JsonSchema, ToolDefinition } from '../tool';
import type { ModelObserver } from './model-observer';

/**
 * Which tools the model may or must use in one call: any or none as it likes (`auto`), none, at
 * least one (`required`), or the one named.
 */
export type ToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | {
      /** The tool's name. */
      readonly name: string;
    };

/** The capabilities of a model. */
export interface ModelCapabilities {
  /** Calls tools natively. One that does not is offered none; `react()` gives it a text protocol. */
  readonly tools: boolean;
  /** Reads pictures; `false` by default. */
  readonly images?: boolean;
  /** Reads files; `false` by default. */
  readonly files?: boolean;
  /** A stand-in that is no language model, so that clients can say so; `false` by default. */
  readonly offline?: boolean;
}

/** The shape that an answer has to have: some JSON object, or JSON of a schema. */
export type ResponseFormat =
  | {
      /** Any JSON object. */
      readonly type: 'json_object';
    }
  | {
      /** JSON that fits a schema. */
      readonly type: 'json_schema';
      /** The provider's name for it. */
      readonly name: string;
      /** An object's. */
      readonly schema: JsonSchema;
      /** Whether the provider must keep to it exactly; its own default where it is missing. */
      readonly strict?: boolean;
      /** The purpose of the answer; some models read it. */
      readonly description?: string;
    };

/**
 * How a model is to word an answer. Whatever is missing is the provider's own; what a provider has
 * no word for, its adapter leaves out.
 */
export interface ModelSettings {
  /** How freely the model chooses its words, from 0. */
  readonly temperature?: number;
  /** The share of the likeliest words that it chooses among, above 0 to 1. */
  readonly topP?: number;
  /** How far words that were said before are avoided, from -2 to 2. */
  readonly presencePenalty?: number;
  /** How far words are avoided the more often they were said, from -2 to 2. */
  readonly frequencyPenalty?: number;
  /** Has the provider try to answer the same request the same again. */
  readonly seed?: number;
  /** Texts that end the answer before them. */
  readonly stop?: readonly string[];
  /** How long it thinks: `low`, `medium`, `high`, or another value of the provider's. */
  readonly reasoningEffort?: string;
  /** How long the answer is: `low`, `medium`, `high`, or another value of the provider's. */
  readonly verbosity?: string;
  /** Where the answer has to be JSON. */
  readonly responseFormat?: ResponseFormat;
}

/** One call of a model. */
export interface ModelRequest extends ModelSettings {
  /** The system prompt. */
  readonly system?: string;
  /** A valid history: every `tool_use` is followed by its one `tool_result`. */
  readonly messages: readonly Message[];
  /** The tools on offer; may be empty. */
  readonly tools: readonly ToolDefinition[];
  /** Which of them the model may or must use; `auto` where it is missing. */
  readonly toolChoice?: ToolChoice;
  /** Tokens that the answer may have; the provider's own limit where it is missing. */
  readonly maxTokens?: number;
  /** How often an answer may be continued that the provider paused: the steps left; 5 by default. */
  readonly maxContinuations?: number;
}

/** The events of an answer, in order. A stream ends with exactly one `finish`. */
export type ModelEvent =
  | {
      /** More of the answer's text. */
      readonly type: 'text.delta';
      /** The next piece of text. */
      readonly delta: string;
    }
  | {
      /** Closes the text so far, which may be empty: the next text is a block of its own. */
      readonly type: 'text.end';
      /** As in `TextBlock`. */
      readonly providerData?: ProviderData;
    }
  | {
      /** The model thinks on. */
      readonly type: 'reasoning.delta';
      /** The next piece of text. */
      readonly delta: string;
    }
  | {
      /** Closes the reasoning so far, which may be empty. */
      readonly type: 'reasoning.end';
      /** As in `ReasoningBlock`. */
      readonly providerData: ProviderData;
    }
  | {
      /** The model writes the arguments of a call; its id and name are known. */
      readonly type: 'tool_use.delta';
      /** The call's id. */
      readonly id: string;
      /** The tool's name. */
      readonly name: string;
      /** The next piece of JSON. */
      readonly delta: string;
    }
  | {
      /** A whole call. */
      readonly type: 'tool_use';
      /** The call's id. */
      readonly id: string;
      /** The tool's name. */
      readonly name: string;
      /** The arguments; `{}` where they are unusable. */
      readonly input: JsonObject;
      /** As in `ToolUseBlock`. */
      readonly malformedInput?: string;
      /** As in `ToolUseBlock`. */
      readonly providerData?: ProviderData;
    }
  | {
      /** A source of the answer. */
      readonly type: 'source';
      /** Its address, `http` or `https`. */
      readonly url: string;
      /** Its title, where the provider gives one. */
      readonly title?: string;
    }
  | {
      /** A tool that the provider ran itself: shown, never run here. */
      readonly type: 'provider_tool';
      /** The provider's id of the call. */
      readonly id: string;
      /** The provider's name for the tool. */
      readonly name: string;
      /** Its arguments. */
      readonly input?: JsonObject;
      /** Its result, as far as that can be shown. */
      readonly output?: JsonValue;
      /** As in `ProviderToolBlock`. */
      readonly notice?: Notice;
      /** As in `ProviderToolBlock`. */
      readonly providerData?: ProviderData;
    }
  | {
      /** The answer is over. */
      readonly type: 'finish';
      /** Why it is. */
      readonly reason: FinishReason;
      /** The tokens of the call; missing where the provider does not count. */
      readonly usage?: ModelUsage;
    };

/**
 * A language model. Everything else (text, calls, structured output) derives from its stream.
 *
 * - A stream ends with exactly one `finish`, or it throws: a `ModelError` where the provider fails
 *   (an empty stream and one that was cut off included).
 * - When `signal` aborts, the stream stops promptly, lets go of its connection and throws an error
 *   whose `name` is `AbortError`. It never finishes as if nothing had happened.
 * - Ending the iteration early (`break`) closes the connection too.
 * - Ids of calls are unique within the request's history and the answer. A call whose arguments
 *   are unusable is passed on with `malformedInput`, never dropped.
 *
 * `defineModel` makes one of a function, and keeps these promises for it.
 */
export interface ChatModel {
  /** The model's name, as clients see it. */
  readonly name: string;
  /** Who serves it, such as `openai`, for telemetry; `custom` by default. */
  readonly provider?: string;
  /** Its capabilities. */
  readonly capabilities: ModelCapabilities;
  /**
   * Makes one call.
   *
   * @param request the conversation and the tools on offer
   * @param options with the signal that stops it
   */
  stream(
    request: ModelRequest,
    options: {
      /** Ends the call when it aborts. */
      readonly signal: AbortSignal;
      /** Is told of further attempts; a model around another one passes it on. */
      readonly observer?: ModelObserver;
    },
  ): AsyncIterable<ModelEvent>;
}
