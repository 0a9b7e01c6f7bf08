import { countedUsage, isJsonObject, type JsonObject, type Usage } from '../message';

/**
 * A model's usage: five numbers in v2, grouped by kind in later versions.
 *
 * @param metadata the provider's own data about its answer
 */
export function aiSdkUsage(usage: unknown, metadata?: unknown): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const { inputTokens: sent, outputTokens: written } = usage;
  if (!isJsonObject(sent) || !isJsonObject(written)) return countedUsage(whole(usage, metadata));
  return countedUsage({
    inputTokens: sent['total'],
    outputTokens: written['total'],
    cachedInputTokens: sent['cacheRead'],
    cacheWriteTokens: sent['cacheWrite'],
    reasoningTokens: written['reasoning'],
  });
}

/**
 * The usage of v2, which has no field for cache writes. Services that report them, such as
 * Anthropic, exclude cached tokens from the input; their packages report them in the metadata.
 */
function whole(usage: JsonObject, metadata: unknown): JsonObject {
  const { inputTokens: sent, cachedInputTokens: cached } = usage;
  const written = writtenToCache(metadata);
  const [input, read] = [numberIn(sent), numberIn(cached)];
  if (typeof sent !== 'number' || (written === undefined && read <= input)) return usage;
  const cacheWriteTokens = written ?? 0;
  return { ...usage, inputTokens: input + read + cacheWriteTokens, cacheWriteTokens };
}

/** Anthropic's `cacheCreationInputTokens`, Bedrock's `usage.cacheWriteInputTokens`. */
function writtenToCache(metadata: unknown): number | undefined {
  const providers = isJsonObject(metadata) ? Object.values(metadata).filter(isJsonObject) : [];
  for (const { cacheCreationInputTokens: created, usage } of providers) {
    if (created !== undefined) return numberIn(created);
    if (isJsonObject(usage) && usage['cacheWriteInputTokens'] !== undefined)
      return numberIn(usage['cacheWriteInputTokens']);
  }
  return undefined;
}

function numberIn(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
