import { countedUsage, isJsonObject, type Usage } from '../message';

/** A model's usage: five numbers in v2, grouped by kind in later versions. */
export function aiSdkUsage(usage: unknown): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const { inputTokens: sent, outputTokens: written } = usage;
  if (!isJsonObject(sent) || !isJsonObject(written)) return countedUsage(usage);
  return countedUsage({
    inputTokens: sent['total'],
    outputTokens: written['total'],
    cachedInputTokens: sent['cacheRead'],
    cacheWriteTokens: sent['cacheWrite'],
    reasoningTokens: written['reasoning'],
  });
}
