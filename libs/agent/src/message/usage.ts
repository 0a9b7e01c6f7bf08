/** Tokens that model calls consumed, as counted by the provider; estimated if it does not count. */
export interface Usage {
  /** Tokens sent: system prompt, tools and messages. */
  readonly inputTokens: number;
  /** Tokens written by the model, its thoughts included. */
  readonly outputTokens: number;
  /** Both together. */
  readonly totalTokens: number;
  /** Of the tokens sent, those read from the provider's cache; 0 if unknown. */
  readonly cachedInputTokens: number;
  /** Of the tokens sent, those written to the provider's cache; 0 if unknown. */
  readonly cacheWriteTokens: number;
  /** Of the tokens written by the model, its thoughts; 0 if unknown. */
  readonly reasoningTokens: number;
}

/** The usage that a model reports; unknown counts are omitted. */
export type ModelUsage = Pick<Usage, 'inputTokens' | 'outputTokens' | 'totalTokens'> &
  Partial<Usage>;

export const NO_USAGE = eachCount(() => 0);

/** An estimated usage, for a provider without counts. */
export function estimatedUsage(inputTokens: number, outputTokens: number): Usage {
  return { ...NO_USAGE, inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}

export function addUsage(a: Usage, b: Usage): Usage {
  return eachCount((count) => a[count] + b[count]);
}

/** The tokens of a later part of a run. */
export function usageSince(before: Usage, whole: Usage): Usage {
  // A run whose end cannot be read has no counts.
  return eachCount((count) => Math.max(0, whole[count] - before[count]));
}

function eachCount(of: (count: keyof Usage) => number): Usage {
  return {
    inputTokens: of('inputTokens'),
    outputTokens: of('outputTokens'),
    totalTokens: of('totalTokens'),
    cachedInputTokens: of('cachedInputTokens'),
    cacheWriteTokens: of('cacheWriteTokens'),
    reasoningTokens: of('reasoningTokens'),
  };
}

/** Usage from an external source: any field may hold any value. */
type GivenUsage = { readonly [Count in keyof Usage]?: unknown };

/**
 * A provider's counts; `undefined` if it does not count, or its counts are unreliable. Tokens in
 * the total but in no other count are added to the output: some services count thoughts nowhere
 * else.
 */
export function countedUsage(usage: unknown): Usage | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined;
  const given: GivenUsage = usage;
  const sent = countOf(given.inputTokens);
  const written = countOf(given.outputTokens);
  const total = countOf(given.totalTokens);
  const isWhole = total !== undefined || (sent !== undefined && written !== undefined);
  const counts = [sent ?? 0, written ?? 0, total ?? 0] as const;
  if (!isWhole || counts.some((count) => !Number.isSafeInteger(count) || count < 0)) {
    return undefined;
  }
  const [inputTokens, output] = counts;
  const totalTokens = Math.max(counts[2], inputTokens + output);
  if (totalTokens === 0) return undefined;
  const outputTokens = totalTokens - inputTokens;
  const cachedInputTokens = partOf(inputTokens, given.cachedInputTokens);
  return {
    inputTokens,
    outputTokens,
    totalTokens,
    cachedInputTokens,
    cacheWriteTokens: partOf(inputTokens - cachedInputTokens, given.cacheWriteTokens),
    reasoningTokens: partOf(outputTokens, given.reasoningTokens),
  };
}

/** A part of a count, capped at the whole; 0 if unreliable. */
function partOf(whole: number, value: unknown): number {
  const part = countOf(value) ?? 0;
  return Number.isSafeInteger(part) && part > 0 ? Math.min(part, whole) : 0;
}

/** A whole number; `undefined` if the value is missing, `NaN` if it is anything else. */
function countOf(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number') return Math.ceil(value);
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : NaN;
}
