import type { JsonObject } from '../../../message';

/**
 * One chunk of a Chat Completions stream, or a whole answer, as services send it in practice: every
 * field may be missing, and some are not OpenAI's own.
 */
export interface OpenAiChunk {
  readonly id?: unknown;
  /** The model that answers. */
  readonly model?: unknown;
  readonly choices?: readonly OpenAiChoice[] | null;
  readonly usage?: OpenAiUsage | null;
  readonly error?: unknown;
  /** `error` if a service puts the error itself here, with its `message`. */
  readonly object?: unknown;
  readonly message?: unknown;
  /** Z.ai's message, of an address that it does not know. */
  readonly msg?: unknown;
  /** The message of a gateway in front of the service. */
  readonly detail?: unknown;
  /** Cloudflare's. */
  readonly errors?: readonly unknown[] | null;
  /** MiniMax's state, with a code other than 0 for an error. */
  readonly base_resp?: { readonly status_code?: number; readonly status_msg?: unknown } | null;
  /** Groq's, with the reason for a stream that it stopped. */
  readonly x_groq?: { readonly error?: unknown } | null;
  /** Perplexity's sources: pages, and their addresses alone. */
  readonly search_results?: unknown;
  readonly citations?: unknown;
}

export interface OpenAiChoice {
  readonly index?: number | null;
  readonly delta?: OpenAiDelta | null;
  /** A service that ignores `stream` answers with one whole message. */
  readonly message?: OpenAiDelta | null;
  readonly finish_reason?: string | null;
  /** The reason of the provider behind OpenRouter, which has fewer of its own. */
  readonly native_finish_reason?: unknown;
  /** Moonshot puts the usage here. */
  readonly usage?: OpenAiUsage | null;
  /** OpenRouter puts its provider's own error here. */
  readonly error?: unknown;
}

export interface OpenAiDelta {
  readonly content?: string | readonly OpenAiContentPart[] | null;
  readonly refusal?: string | null;
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  /** Copilot's thoughts, and its data about them. */
  readonly reasoning_text?: string | null;
  readonly reasoning_opaque?: unknown;
  /** OpenRouter's, and that of similar gateways. */
  readonly reasoning_details?: readonly JsonObject[] | null;
  /** LiteLLM's, of Claude's signed thoughts. */
  readonly thinking_blocks?: unknown;
  readonly tool_calls?: readonly OpenAiToolCallDelta[] | null;
  /** The pages that an answer cites. */
  readonly annotations?: unknown;
  /** Google's. */
  readonly extra_content?: unknown;
  /** OpenRouter's pictures, which the model made. */
  readonly images?: readonly OpenAiPicture[] | null;
  /** Groq's tools, which it ran itself. */
  readonly executed_tools?: readonly OpenAiExecutedTool[] | null;
}

/** Reasoning models of Mistral and of Databricks answer in parts. */
export interface OpenAiContentPart {
  readonly type?: string;
  readonly text?: string;
  /** Mistral's thoughts: a text, or a list of texts. */
  readonly thinking?: unknown;
  /** Databricks' thoughts, which are only shown. */
  readonly summary?: unknown;
}

interface OpenAiToolCallDelta {
  readonly index?: number | null;
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
  /** A tool that takes plain text. */
  readonly custom?: { readonly name?: unknown; readonly input?: unknown } | null;
  readonly extra_content?: unknown;
}

export type OpenAiPicture = { readonly image_url?: { readonly url?: unknown } | null } | null;

export interface OpenAiExecutedTool {
  readonly index?: number | null;
  readonly type?: unknown;
  readonly arguments?: unknown;
  readonly output?: unknown;
}

export interface OpenAiUsage {
  readonly prompt_tokens?: unknown;
  readonly completion_tokens?: unknown;
  readonly total_tokens?: unknown;
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: unknown;
    readonly cache_write_tokens?: unknown;
    readonly audio_tokens?: unknown;
  } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: unknown } | null;
  /** DeepSeek's. */
  readonly prompt_cache_hit_tokens?: unknown;
  /** Moonshot's. */
  readonly cached_tokens?: unknown;
  /** Anthropic's, which gateways pass on. */
  readonly cache_creation_input_tokens?: unknown;
  readonly reasoning_tokens?: unknown;
}
