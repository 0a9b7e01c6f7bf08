/**
 * One chunk of a Chat Completions stream, as services really send it: every field may be missing,
 * and some are not OpenAI's own.
 */
export interface OpenAiChunk {
  readonly choices?: readonly OpenAiChoice[] | null;
  readonly usage?: OpenAiUsage | null;
  readonly error?: unknown;
  /** `error` where a service puts the error itself here, with its `message`. */
  readonly object?: unknown;
  readonly message?: unknown;
}

export interface OpenAiChoice {
  readonly delta?: OpenAiDelta | null;
  /** A service that ignores `stream` answers with one whole message. */
  readonly message?: OpenAiDelta | null;
  readonly finish_reason?: string | null;
  /** Moonshot puts the usage here. */
  readonly usage?: OpenAiUsage | null;
  /** OpenRouter puts what its provider said here. */
  readonly error?: unknown;
}

export interface OpenAiDelta {
  readonly content?: string | readonly OpenAiContentPart[] | null;
  readonly refusal?: string | null;
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly tool_calls?: readonly OpenAiToolCallDelta[] | null;
}

/** Mistral's reasoning models answer in parts. */
export interface OpenAiContentPart {
  readonly type?: string;
  readonly text?: string;
  readonly thinking?: string | readonly { readonly text?: string }[];
}

export interface OpenAiToolCallDelta {
  readonly index?: number | null;
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

export interface OpenAiUsage {
  readonly prompt_tokens?: unknown;
  readonly completion_tokens?: unknown;
  readonly total_tokens?: unknown;
  readonly prompt_tokens_details?: { readonly cached_tokens?: unknown } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: unknown } | null;
}
