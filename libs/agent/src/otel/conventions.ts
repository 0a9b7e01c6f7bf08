/**
 * The values of `semconv`.
 *
 * @experimental
 */
export type SemanticConvention = 'latest' | '1.41';

/** The names in which the conventions differ. */
export interface Convention {
  /** Attributes of spans; missing if the convention has none. */
  readonly attributes: {
    readonly cacheWriteTokens: string;
    readonly isCompacted?: string;
  };
  /** The duration of a model call. */
  readonly inferenceDuration: string;
  /** Metrics of streamed answers; missing if the convention has none. */
  readonly chunks?: {
    readonly timeToFirst: string;
    readonly timePerOutput: string;
  };
  /** One counter for each kind of token, or one histogram for all. */
  readonly tokens:
    | {
        readonly as: 'counters';
        readonly input: string;
        readonly output: string;
        readonly cacheRead: string;
        readonly cacheWrite: string;
        readonly reasoning: string;
      }
    | {
        readonly as: 'histogram';
        readonly usage: string;
        readonly typeAttribute: string;
      };
}

/** @see https://github.com/open-telemetry/semantic-conventions-genai */
export const LATEST: Convention = {
  attributes: {
    cacheWriteTokens: 'gen_ai.usage.cache_write.input_tokens',
    isCompacted: 'gen_ai.conversation.compacted',
  },
  inferenceDuration: 'gen_ai.client.inference.duration',
  chunks: {
    timeToFirst: 'gen_ai.client.inference.time_to_first_chunk',
    timePerOutput: 'gen_ai.client.inference.time_per_output_chunk',
  },
  tokens: {
    as: 'counters',
    input: 'gen_ai.client.inference.usage.input_tokens',
    output: 'gen_ai.client.inference.usage.output_tokens',
    cacheRead: 'gen_ai.client.inference.usage.cache_read.input_tokens',
    cacheWrite: 'gen_ai.client.inference.usage.cache_write.input_tokens',
    reasoning: 'gen_ai.client.inference.usage.reasoning.output_tokens',
  },
};

/**
 * The last conventions of the main repository.
 *
 * @see https://github.com/open-telemetry/semantic-conventions/tree/v1.41.0/docs/gen-ai
 */
export const V1_41: Convention = {
  attributes: {
    cacheWriteTokens: 'gen_ai.usage.cache_creation.input_tokens',
  },
  inferenceDuration: 'gen_ai.client.operation.duration',
  tokens: {
    as: 'histogram',
    usage: 'gen_ai.client.token.usage',
    typeAttribute: 'gen_ai.token.type',
  },
};
