/** Tokens that model calls consumed, as the provider counted; estimated where it does not count. */
export interface Usage {
  /** Tokens that were sent: system prompt, tools and messages. */
  readonly inputTokens: number;
  /** Tokens that the model wrote, its thoughts included. */
  readonly outputTokens: number;
  /** Both together. */
  readonly totalTokens: number;
  /** Of the tokens that were sent, those that the provider had in its cache; 0 where unknown. */
  readonly cachedInputTokens: number;
  /** Of the tokens that were sent, those that it put into its cache; 0 where unknown. */
  readonly cacheWriteTokens: number;
  /** Of the tokens that the model wrote, its thoughts; 0 where unknown. */
  readonly reasoningTokens: number;
}

/** As a model tells it: what it does not know of, it leaves out. */
export type ModelUsage = Pick<Usage, 'inputTokens' | 'outputTokens' | 'totalTokens'> &
  Partial<Usage>;

export const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

/** What was counted here, for want of a provider's count. */
export function estimatedUsage(inputTokens: number, outputTokens: number): Usage {
  return { ...NO_USAGE, inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    totalTokens: a.totalTokens + b.totalTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
  };
}

/** Usage as it came from outside: anything may stand in it. */
type GivenUsage = { readonly [Count in keyof Usage]?: unknown };

/**
 * What a provider counted; `undefined` where it did not count, or so that nobody can rely on it. What
 * the total has besides the rest was written too: some services count thoughts nowhere else.
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

/** A part of a count, never more than the whole; 0 where nobody can rely on it. */
function partOf(whole: number, value: unknown): number {
  const part = countOf(value) ?? 0;
  return Number.isSafeInteger(part) && part > 0 ? Math.min(part, whole) : 0;
}

/** A whole number; `undefined` where nothing is given, and no number where something else is. */
function countOf(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number') return Math.ceil(value);
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : NaN;
}
