/** Tokens that model calls consumed, as the provider counted; estimated where it does not count. */
export interface Usage {
  /** Tokens that were sent: system prompt, tools and messages. */
  readonly inputTokens: number;
  /** Tokens that the model wrote, its thoughts included. */
  readonly outputTokens: number;
  /** Both together. */
  readonly totalTokens: number;
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    totalTokens: a.totalTokens + b.totalTokens,
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
  const inputTokens = countOf(given.inputTokens);
  const outputTokens = countOf(given.outputTokens);
  const total = countOf(given.totalTokens);
  const isWhole = total !== undefined || (inputTokens !== undefined && outputTokens !== undefined);
  const counts = [inputTokens ?? 0, outputTokens ?? 0, total ?? 0] as const;
  if (!isWhole || counts.some((count) => !Number.isSafeInteger(count) || count < 0)) {
    return undefined;
  }
  const [input, output] = counts;
  const totalTokens = Math.max(counts[2], input + output);
  if (totalTokens === 0) return undefined;
  return { inputTokens: input, outputTokens: totalTokens - input, totalTokens };
}

/** A whole number; `undefined` where nothing is given, and no number where something else is. */
function countOf(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number') return Math.ceil(value);
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : NaN;
}
