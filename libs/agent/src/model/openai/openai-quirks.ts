/**
 * Differences of an OpenAI-compatible service from OpenAI; all optional. Those called learned are
 * `false` by default, and set after the service's first refusal.
 *
 * @example
 * const quirks: OpenAiQuirks = { responseFormat: 'json_object', streamUsage: false };
 */
export interface OpenAiQuirks {
  /** The field that limits the answer's tokens; `max_tokens` except at OpenAI and Azure. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  /**
   * The values of `tool_choice` that the service accepts: all; all but a tool's name (`no-name`);
   * only `auto` and `none` (`no-force`); only `auto` (`auto`). `all` by default.
   */
  readonly toolChoice?: 'all' | 'no-name' | 'no-force' | 'auto';
  /** The service's value for `required`; `required` by default. */
  readonly requiredAs?: string;
  /**
   * How a schema is enforced; `prompt` only asks for it in the system prompt. `json_schema` by
   * default.
   */
  readonly responseFormat?: 'json_schema' | 'json_object' | 'prompt';
  /** Whether `stream_options` may ask for usage; `true` by default, unset after its first refusal. */
  readonly streamUsage?: boolean;
  /**
   * Where reasoning is sent back: in a field or in the text. By default it goes back only to the
   * service that wrote it, in its original form; `reasoning_content` is set after a refusal that
   * demands it.
   */
  readonly reasoningBack?: 'reasoning_content' | 'reasoning' | 'think_tags';
  /** Whether a tag such as `<think>` at the start of an answer begins reasoning; `true` by default. */
  readonly thinkTags?: boolean;
  /** Learned: the service rejects system messages after the first, so they are merged into it. */
  readonly singleSystem?: boolean;
  /** Learned: the service rejects system messages, so the first user message says them. */
  readonly userSystem?: boolean;
  /**
   * Learned: the service rejects a message with several calls, so each call is sent in its own, with
   * its result.
   */
  readonly singleCalls?: boolean;
  /** Learned: the service rejects consecutive messages of the same role, so they are joined. */
  readonly alternatingRoles?: boolean;
  /**
   * Learned: the service rejects a user message directly after a tool result, so an assistant
   * message is put between.
   */
  readonly assistantAfterTool?: boolean;
  /**
   * Learned: the service rejects keywords beside `anyOf` or `$ref` in a tool's schema, values of
   * several types in an `enum`, and references outside `$defs`.
   */
  readonly plainUnions?: boolean;
  /**
   * Learned: the service makes a grammar of tools' schemas, as llama.cpp and LM Studio do, which
   * rejects patterns and great lengths: they are put into words.
   */
  readonly grammarSchemas?: boolean;
  /**
   * Learned: each step's first call must have Gemini's signature, also if another model made it.
   */
  readonly signedCalls?: boolean;
  /** Learned: ids of calls must be nine letters or digits. */
  readonly shortCallIds?: boolean;
  /** Maximum number of characters of a call's id; 40 at OpenAI and Azure, else unlimited. */
  readonly maxCallIdChars?: number;
  /**
   * Whether several texts of one message are sent as a list of parts; only for OpenAI and Azure by
   * default. Others get joined texts, since some accept no list.
   */
  readonly textParts?: boolean;
  /** Whether `strict` may be set on a tool's schema; only for OpenAI and Azure by default. */
  readonly strictTools?: boolean;
  /**
   * Whether the constant part of requests is marked with Anthropic's `cache_control`; by default if
   * the model's name contains `claude`.
   */
  readonly cacheMarks?: boolean;
  /** Whether tools can be called; `true` by default. */
  readonly tools?: boolean;
  /** Whether pictures are accepted; `true` by default. */
  readonly images?: boolean;
  /** Whether files are accepted; `true` by default. */
  readonly files?: boolean;
}

/** OpenAI's own service, and Azure's with the same models. */
export const OPENAI_QUIRKS: OpenAiQuirks = {
  maxTokensField: 'max_completion_tokens',
  strictTools: true,
  maxCallIdChars: 40,
  textParts: true,
};
