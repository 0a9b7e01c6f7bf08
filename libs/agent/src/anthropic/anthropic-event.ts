/** An event of a Messages stream; every field may be missing until it is known not to be. */
export interface AnthropicEvent {
  readonly type?: string;
  readonly index?: number;
  readonly message?: { readonly usage?: AnthropicUsage | null };
  readonly content_block?: {
    readonly type?: string;
    readonly id?: unknown;
    readonly name?: unknown;
    readonly input?: unknown;
    readonly text?: unknown;
    readonly data?: unknown;
  };
  readonly delta?: {
    readonly type?: string;
    readonly text?: unknown;
    readonly thinking?: unknown;
    readonly signature?: unknown;
    readonly partial_json?: unknown;
    readonly stop_reason?: string | null;
  };
  readonly usage?: AnthropicUsage | null;
  readonly error?: unknown;
}

export interface AnthropicUsage {
  readonly input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly output_tokens?: number | null;
}
