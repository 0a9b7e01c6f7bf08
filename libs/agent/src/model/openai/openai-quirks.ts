/**
 * Differences of an OpenAI-compatible service from OpenAI. Everything is optional.
 *
 * @example
 * const quirks: OpenAiQuirks = { responseFormat: 'json_object', streamUsage: false };
 */
export interface OpenAiQuirks {
  /** The field that bounds the answer; `max_tokens` except at OpenAI and Azure. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  /**
   * Which values of `tool_choice` the service takes: all; all but a tool's name (`no-name`); only
   * `auto` and `none` (`no-force`); only `auto` (`auto`). `all` by default.
   */
  readonly toolChoice?: 'all' | 'no-name' | 'no-force' | 'auto';
  /** The service's word for `required`; that word by default. */
  readonly requiredAs?: string;
  /**
   * How the answer is bound to a schema; `prompt` only asks for it in the system prompt.
   * `json_schema` by default.
   */
  readonly responseFormat?: 'json_schema' | 'json_object' | 'prompt';
  /** Whether `stream_options` may ask for usage; `true` by default. */
  readonly streamUsage?: boolean;
  /**
   * Where reasoning is sent back, in a field or in the text. By default it goes back to the service
   * that wrote it, as that wrote it.
   */
  readonly reasoningBack?: 'reasoning_content' | 'reasoning' | 'think_tags';
  /** Whether `<think>` at the start of an answer begins reasoning; `true` by default. */
  readonly thinkTags?: boolean;
  /**
   * System messages after the first are not taken; they are put into the first. `false` by default.
   */
  readonly singleSystem?: boolean;
  /**
   * A user's message may not follow a tool's result: an assistant's must stand between. `false` by
   * default.
   */
  readonly assistantAfterTool?: boolean;
  /** Ids of calls must be nine letters or digits; `false` by default. */
  readonly shortCallIds?: boolean;
  /** How many characters an id of a call may have; 40 at OpenAI and Azure, else any number. */
  readonly maxCallIdChars?: number;
  /**
   * Several texts of one message are sent as a list of parts, which keeps them apart; only OpenAI
   * and Azure by default. Others get them joined, for some take no list.
   */
  readonly textParts?: boolean;
  /** Whether `strict` may be set on a tool's schema; only OpenAI and Azure by default. */
  readonly strictTools?: boolean;
  /**
   * Whether what stays the same from call to call is marked by Anthropic's `cache_control`; where the
   * model's name has `claude` in it by default.
   */
  readonly cacheMarks?: boolean;
  /** Whether tools can be called; `true` by default. */
  readonly tools?: boolean;
  /** Whether pictures are taken; `true` by default. */
  readonly images?: boolean;
  /** Whether files are taken; `true` by default. */
  readonly files?: boolean;
}

/** OpenAI's own service, and Azure's of the same models. */
export const OPENAI_QUIRKS: OpenAiQuirks = {
  maxTokensField: 'max_completion_tokens',
  strictTools: true,
  maxCallIdChars: 40,
  textParts: true,
};
