/** A part of an answer of any version; every field may be missing until it is checked. */
export interface AiSdkPart {
  readonly type?: string;
  readonly id?: string;
  readonly delta?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  /** JSON. */
  readonly input?: string;
  readonly result?: unknown;
  readonly isError?: boolean;
  /** More of the result follows. */
  readonly preliminary?: boolean;
  readonly providerExecuted?: boolean;
  readonly providerMetadata?: unknown;
  /** The media type of a file from the model. */
  readonly mediaType?: string;
  readonly file?: { readonly mediaType?: string };
  readonly sourceType?: string;
  readonly url?: string;
  readonly title?: string;
  readonly citations?: readonly { readonly source?: AiSdkPart }[];
  readonly finishReason?: string | { readonly unified?: string; readonly raw?: string };
  /** Of the answer's metadata: the model that answered. */
  readonly modelId?: string;
  readonly usage?: unknown;
  readonly error?: unknown;
}
