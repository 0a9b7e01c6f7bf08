/** An event of a Messages stream; every field may be missing until it is known not to be. */
export interface AnthropicEvent extends AnthropicMessageStart {
  readonly type?: string;
  readonly index?: number;
  /** The message of an error, if a gateway puts it at the top. */
  readonly message?: AnthropicMessageStart | string | null;
  /** Z.ai's message, of an address that it does not know. */
  readonly msg?: unknown;
  readonly content_block?: AnthropicBlock | null;
  readonly delta?: {
    readonly type?: string;
    readonly text?: unknown;
    readonly thinking?: unknown;
    readonly signature?: unknown;
    readonly partial_json?: unknown;
    readonly citation?: unknown;
    /** A piece of the provider's own summary of the conversation; `null` if it failed. */
    readonly content?: unknown;
    readonly encrypted_content?: unknown;
    readonly stop_reason?: string | null;
    readonly container?: unknown;
  } | null;
  readonly error?: unknown;
  /** The fields of one whole message, the answer of a service that ignores `stream`. */
  readonly content?: readonly (AnthropicBlock | null)[] | null;
  readonly stop_reason?: string | null;
}

export interface AnthropicMessageStart {
  readonly id?: unknown;
  readonly model?: unknown;
  readonly usage?: AnthropicUsage | null;
  readonly container?: unknown;
}

export interface AnthropicBlock {
  readonly type?: string;
  readonly id?: unknown;
  readonly name?: unknown;
  readonly input?: unknown;
  readonly text?: unknown;
  readonly citations?: unknown;
  readonly data?: unknown;
  readonly thinking?: unknown;
  readonly signature?: unknown;
  readonly caller?: unknown;
  readonly tool_use_id?: unknown;
  readonly content?: unknown;
}

export interface AnthropicUsage {
  readonly input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly output_tokens_details?: { readonly thinking_tokens?: number | null } | null;
}
