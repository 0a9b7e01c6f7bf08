/** The protocol of a service: Chat Completions, Anthropic's Messages, OpenAI's Responses. */
export type Format = 'openai' | 'anthropic' | 'responses';

/** One answer of a real service. */
export interface Recording {
  readonly id: string;
  readonly fmt: Format;
  /** The service that answered. */
  readonly provider: string;
  readonly kind: 'sse' | 'json' | 'error';
  readonly status: number;
  /** The requested model. */
  readonly model: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The request's body, where it is known. */
  readonly request: Readonly<Record<string, unknown>> | undefined;
  readonly expected: Expected;
}

/** An answer as read by the service's own SDK. */
export interface Expected {
  readonly text: string;
  readonly textAlso?: string;
  readonly reasoning: string;
  readonly reasoningText?: string;
  readonly calls: readonly ExpectedCall[];
  /** Null where the service did not say. */
  readonly stop: 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal' | 'cut' | 'error' | null;
  readonly refusal?: boolean;
  readonly usage: ExpectedUsage | null;
  /** Calls of kinds that the library does not have. */
  readonly foreign?: readonly string[];
  /** Why there is nothing to compare. */
  readonly skip?: string;
}

export interface ExpectedCall {
  readonly id: string | null;
  readonly name: string;
  readonly arguments: string;
}

/** Counts that the service did not report are missing. */
export interface ExpectedUsage {
  readonly input: number | null;
  readonly output: number | null;
  readonly total?: number | null;
  readonly cached?: number | null;
  readonly cacheWritten?: number | null;
  readonly reasoning?: number | null;
}
