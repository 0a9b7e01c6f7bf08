import { countedUsage, type Usage } from '../../../message';
import type { ResponsesUsage } from './responses-event';

export function responsesUsage(usage: ResponsesUsage | null | undefined): Usage | undefined {
  return countedUsage({
    inputTokens: usage?.input_tokens,
    outputTokens: usage?.output_tokens,
    totalTokens: usage?.total_tokens,
    cachedInputTokens: usage?.input_tokens_details?.cached_tokens,
    cacheWriteTokens: usage?.input_tokens_details?.cache_write_tokens,
    reasoningTokens: usage?.output_tokens_details?.reasoning_tokens,
  });
}
