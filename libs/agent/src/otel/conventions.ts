/**
 * The values of `semconv`.
 *
 * @experimental
 */
export type SemanticConvention = 'latest' | '1.41';

/** The names in which the conventions differ; `undefined` where one has none. */
export type Convention = typeof LATEST | typeof V1_41;

/** @see https://github.com/open-telemetry/semantic-conventions-genai */
export const LATEST = {
  attributes: {
    cacheWriteTokens: 'gen_ai.usage.cache_write.input_tokens',
    isCompacted: 'gen_ai.conversation.compacted',
  },
  inferenceDuration: 'gen_ai.client.inference.duration',
  chunks: {
    timeToFirst: 'gen_ai.client.inference.time_to_first_chunk',
    timePerOutput: 'gen_ai.client.inference.time_per_output_chunk',
  },
  /** One counter for each kind of token. */
  tokens: {
    as: 'counters',
    input: 'gen_ai.client.inference.usage.input_tokens',
    output: 'gen_ai.client.inference.usage.output_tokens',
    cacheRead: 'gen_ai.client.inference.usage.cache_read.input_tokens',
    cacheWrite: 'gen_ai.client.inference.usage.cache_write.input_tokens',
    reasoning: 'gen_ai.client.inference.usage.reasoning.output_tokens',
  },
} as const;

/**
 * The last conventions of the main repository.
 *
 * @see https://github.com/open-telemetry/semantic-conventions/tree/v1.41.0/docs/gen-ai
 */
export const V1_41 = {
  attributes: {
    cacheWriteTokens: 'gen_ai.usage.cache_creation.input_tokens',
    isCompacted: undefined,
  },
  inferenceDuration: 'gen_ai.client.operation.duration',
  chunks: undefined,
  /** One histogram for all tokens. */
  tokens: {
    as: 'histogram',
    usage: 'gen_ai.client.token.usage',
    typeAttribute: 'gen_ai.token.type',
  },
} as const;
