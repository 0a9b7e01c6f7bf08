import { countedUsage, type Usage } from '../../message';
import type { AnthropicUsage } from './anthropic-event';

const COUNTS = [
  'input_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'output_tokens',
] as const;

/** The tokens of an answer. Later counts replace earlier ones: each is a total so far. */
export class UsageCounter {
  private readonly counts: { [Name in (typeof COUNTS)[number]]?: number } = {};
  private thinkingTokens: number | undefined;

  add(usage: AnthropicUsage | null | undefined): void {
    for (const name of COUNTS) {
      const count = usage?.[name];
      if (typeof count === 'number') this.counts[name] = count;
    }
    this.thinkingTokens = usage?.output_tokens_details?.thinking_tokens ?? this.thinkingTokens;
  }

  /** Tokens read from or written to the cache are input too. */
  total(): Usage | undefined {
    const { input_tokens, output_tokens, ...cached } = this.counts;
    const inputs = [input_tokens, ...Object.values(cached)].map((count) => count ?? 0);
    const isCounted = typeof input_tokens === 'number' && Math.min(...inputs) >= 0;
    const inputTokens = isCounted ? inputs.reduce((sum, count) => sum + count) : undefined;
    return countedUsage({
      inputTokens,
      outputTokens: output_tokens,
      cachedInputTokens: cached.cache_read_input_tokens,
      cacheWriteTokens: cached.cache_creation_input_tokens,
      reasoningTokens: this.thinkingTokens,
    });
  }
}
