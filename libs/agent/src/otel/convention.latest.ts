import type { Convention } from './convention.interface';

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
