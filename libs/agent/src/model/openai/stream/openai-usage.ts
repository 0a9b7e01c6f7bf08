import { countedUsage, type Usage } from '../../../message';
import type { OpenAiUsage } from './openai-chunk';

/**
 * A service's usage. OpenAI counts thoughts as output. Some services count them separately, which
 * shows if there are more of them than output tokens. Audio tokens of a prompt may also be
 * separate, in the total only.
 */
export function openAiUsage(usage: OpenAiUsage | null | undefined): Usage | undefined {
  if (usage === null || typeof usage !== 'object') return undefined;
  const sent = usage.prompt_tokens_details;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? usage.reasoning_tokens;
  const input = numberOf(usage.prompt_tokens);
  const output = numberOf(usage.completion_tokens);
  const sound = numberOf(sent?.audio_tokens);
  const isSoundApart = sound > 0 && numberOf(usage.total_tokens) === input + output + sound;
  const areThoughtsApart = numberOf(reasoning) > output;
  const written = areThoughtsApart ? output + numberOf(reasoning) : usage.completion_tokens;
  return countedUsage({
    inputTokens: isSoundApart ? input + sound : usage.prompt_tokens,
    outputTokens: written,
    totalTokens: usage.total_tokens,
    cachedInputTokens: sent?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens,
    cacheWriteTokens: sent?.cache_write_tokens ?? usage.cache_creation_input_tokens,
    reasoningTokens: reasoning,
  });
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
