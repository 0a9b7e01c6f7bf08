/** In what an OpenAI-compatible service differs from OpenAI. Everything is optional. */
export interface OpenAiQuirks {
  /** The field that bounds the answer; `max_tokens` except at OpenAI and Azure. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  /**
   * Which values of `tool_choice` the service takes: all; all but a tool's name (`no-name`); only
   * `auto` and `none` (`no-force`); only `auto` (`auto`).
   */
  readonly toolChoice?: 'all' | 'no-name' | 'no-force' | 'auto';
  /** What the service calls `required`. */
  readonly requiredAs?: string;
  /** How the answer is bound to a schema; `prompt` only asks for it in the system prompt. */
  readonly responseFormat?: 'json_schema' | 'json_object' | 'prompt';
  /** Whether `stream_options` may ask for usage; true by default. */
  readonly streamUsage?: boolean;
  /** Where reasoning is sent back, in a field or in the text; not sent back by default. */
  readonly reasoningBack?: 'reasoning_content' | 'reasoning' | 'think_tags';
  /** Reasoning stands in the text, between `<think>` and `</think>`. */
  readonly thinkTags?: boolean;
  /** System messages after the first are not taken; they are put into the first. */
  readonly singleSystem?: boolean;
  /** A user's message may not follow a tool's result: an assistant's must stand between. */
  readonly assistantAfterTool?: boolean;
  /** Ids of calls must be nine letters or digits. */
  readonly shortCallIds?: boolean;
  /** Whether `strict` may be set on a tool's schema; only OpenAI and Azure by default. */
  readonly strictTools?: boolean;
  readonly images?: boolean;
  readonly files?: boolean;
}
