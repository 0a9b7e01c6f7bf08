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
 * The tools that the model may or must use in one call: its own choice (`auto`), none (`none`), at
 * least one (`required`), or the named one.
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
  /**
   * Calls tools natively. A model without native calls is offered no tools; `react()` adds a text
   * protocol for them.
   */
  readonly tools: boolean;
  /** Reads pictures; `false` by default. */
  readonly images?: boolean;
  /** Reads files; `false` by default. */
  readonly files?: boolean;
  /** Not a language model but a stand-in, which clients can tell the user; `false` by default. */
  readonly offline?: boolean;
}

/** The required form of an answer: any JSON object, or JSON of a schema. */
export type ResponseFormat =
  | {
      /** Any JSON object. */
      readonly type: 'json_object';
    }
  | {
      /** JSON that conforms to a schema. */
      readonly type: 'json_schema';
      /** The schema's name, sent to the provider. */
      readonly name: string;
      /** A schema of an object. */
      readonly schema: JsonSchema;
      /**
       * Whether the provider must enforce the schema exactly; the provider's default if missing.
       */
      readonly strict?: boolean;
      /** The purpose of the answer; some models read it. */
      readonly description?: string;
    };

/**
 * Settings of an answer. A missing setting has the provider's default; adapters omit settings that
 * their provider does not support.
 */
export interface ModelSettings {
  /** Sampling temperature, from 0; higher values give more varied words. */
  readonly temperature?: number;
  /** Nucleus sampling: the probability mass of the tokens to choose from, above 0 and up to 1. */
  readonly topP?: number;
  /** Penalty for tokens that have already occurred, from -2 to 2. */
  readonly presencePenalty?: number;
  /** Penalty for tokens in proportion to how often they have occurred, from -2 to 2. */
  readonly frequencyPenalty?: number;
  /** Makes the provider try to give the same answer to the same request. */
  readonly seed?: number;
  /** Stop sequences: the answer ends before the first one. */
  readonly stop?: readonly string[];
  /**
   * How long the model thinks: `low`, `medium`, `high`, or another value that the provider knows.
   */
  readonly reasoningEffort?: string;
  /** How long the answer is: `low`, `medium`, `high`, or another value that the provider knows. */
  readonly verbosity?: string;
  /** Set if the answer must be JSON. */
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
  /** The tools that the model may or must use; `auto` if missing. */
  readonly toolChoice?: ToolChoice;
  /** Maximum number of tokens in the answer; the provider's own limit if missing. */
  readonly maxTokens?: number;
  /**
   * How often an answer that the provider paused may be continued: the steps left; 5 by default.
   */
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
      /** Closes the text so far, which may be empty; the next text is a new block. */
      readonly type: 'text.end';
      /** As in `TextBlock`. */
      readonly providerData?: ProviderData;
    }
  | {
      /** More of the model's reasoning. */
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
      /** More of a call's arguments; its id and name are known. */
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
      /** The arguments; `{}` if they are unusable. */
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
      /** Its title, if the provider gives one. */
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
      /** Its result, as far as it can be shown. */
      readonly output?: JsonValue;
      /** As in `ProviderToolBlock`. */
      readonly notice?: Notice;
      /** As in `ProviderToolBlock`. */
      readonly providerData?: ProviderData;
    }
  | {
      /** The end of the answer. */
      readonly type: 'finish';
      /** Why the answer ended. */
      readonly reason: FinishReason;
      /** The tokens of the call; missing if the provider does not report them. */
      readonly usage?: ModelUsage;
    };

/**
 * A language model. Everything else (text, calls, structured output) derives from its stream.
 *
 * - A stream ends with exactly one `finish`, or it throws: a `ModelError` if the provider fails
 *   (also for an empty or cut-off stream).
 * - When `signal` aborts, the stream stops promptly, closes its connection and throws an error
 *   whose `name` is `AbortError`. It never ends with `finish`.
 * - Ending the iteration early (`break`) closes the connection too.
 * - Ids of calls are unique within the request's history and the answer. A call with unusable
 *   arguments is passed on with `malformedInput`, never dropped.
 *
 * `defineModel` makes a model from a function and ensures these rules.
 */
export interface ChatModel {
  /** The model's name, as clients see it. */
  readonly name: string;
  /** The provider, such as `openai`, for telemetry; `custom` by default. */
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
      /** Aborts the call. */
      readonly signal: AbortSignal;
      /** Receives further attempts; a model that wraps another one passes it on. */
      readonly observer?: ModelObserver;
    },
  ): AsyncIterable<ModelEvent>;
}
