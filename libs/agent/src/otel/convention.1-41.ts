import type { Convention } from './convention.interface';

/**
 * The last ones of the main repository.
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
