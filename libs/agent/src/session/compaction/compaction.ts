import { type Message, toolUsesOf } from '../../message';

/**
 * When and how far a history is compacted.
 *
 * @example
 * const compaction: Partial<CompactionOptions> = { thresholdTokens: 100_000 };
 */
export interface CompactionOptions {
  /** A model call with more tokens triggers a compaction first; 64 000 by default. */
  readonly thresholdTokens: number;
  /** Recent messages of about this many tokens remain unchanged; 12 000 by default. */
  readonly keepRecentTokens: number;
  /**
   * Whether summarized messages stay in the store, where the session's owner can read them; `true` by
   * default.
   */
  readonly keepOriginals: boolean;
}

export const DEFAULT_COMPACTION: CompactionOptions = {
  thresholdTokens: 64_000,
  keepRecentTokens: 12_000,
  keepOriginals: true,
};

/** The input of a plan. */
export interface CompactionQuestion extends Pick<
  CompactionOptions,
  'thresholdTokens' | 'keepRecentTokens'
> {
  readonly messages: readonly Message[];
  /** The tokens of each message, by our own count. */
  readonly tokens: readonly number[];
  /** The tokens of system prompt and tools, by our own count. */
  readonly surroundingTokens: number;
  /** The tokens of the whole model call, by the provider's count if known. */
  readonly totalTokens: number;
  /** Halves the messages despite the threshold. */
  readonly force?: boolean;
}

/** How to shorten a history. */
export type CompactionPlan =
  | { readonly kind: 'unneeded' }
  | {
      readonly kind: 'compact';
      /** The messages that a summary replaces; all others follow it. */
      readonly summarise: readonly Message[];
      /** The index of the first message to keep. */
      readonly keepFrom: number;
      /** The index of an earlier message to keep as well. */
      readonly keepAlso?: number;
      readonly totalTokens: number;
      /** The estimated tokens of the call without the summary. */
      readonly keptTokens: number;
      /** The maximum of estimated tokens of the summary message, including its quotation marks. */
      readonly summaryTokens: number;
      /** The provider's tokens per token of our own count. */
      readonly scale: number;
    }
  | { readonly kind: 'impossible'; readonly reason: string };

/** Messages that only make sense together: a call and its results. */
interface Unit {
  readonly start: number;
  readonly tokens: number;
}

/** The maximum and minimum size of a summary in tokens. */
const MAX_SUMMARY_TOKENS = 4_000;
const MIN_SUMMARY_TOKENS = 128;

/**
 * Decides which messages a summary replaces. Never separates a call from its results, always keeps
 * the last message, and either keeps or summarizes each message. If the cut is inside a long turn,
 * the user's message of that turn is kept before it, unless it is too long.
 *
 * @returns `impossible` with the reason if no cut brings the call below the threshold
 */
export function planCompaction(question: CompactionQuestion): CompactionPlan {
  const { messages, tokens, surroundingTokens, totalTokens, thresholdTokens, force } = question;
  if (!force && totalTokens <= thresholdTokens) return { kind: 'unneeded' };
  // Providers count differently. From here on, all numbers use our own count, including the limits.
  const messageTokens = sum(tokens);
  const scale = totalTokens / Math.max(1, messageTokens + surroundingTokens);
  const limit = Math.floor(force ? surroundingTokens + messageTokens / 2 : thresholdTokens / scale);
  const budget = limit - surroundingTokens;
  if (budget < MIN_SUMMARY_TOKENS) return tooMuchAround(surroundingTokens, limit);
  // Reserves part of the budget for the summary, whatever the options say.
  const keepTokens = Math.floor(
    Math.min(question.keepRecentTokens / scale, (budget * 3) / 4, budget - MIN_SUMMARY_TOKENS),
  );
  const start = firstKept(unitsOf(messages, tokens), keepTokens);
  const recentTokens = sum(tokens.slice(start));
  if (recentTokens + MIN_SUMMARY_TOKENS > budget) {
    return tooLongAnEnd(messages.length - start, recentTokens, budget - MIN_SUMMARY_TOKENS);
  }
  const request = requestBefore(messages, start);
  const requestTokens = request === undefined ? 0 : (tokens[request] ?? 0);
  const pinned = recentTokens + requestTokens <= keepTokens ? request : undefined;
  const isKept = (_: Message, index: number): boolean => index >= start || index === pinned;
  const summarise = messages.filter((message, index) => !isKept(message, index));
  if (!summarise.some(({ role }) => role !== 'system')) return nothingLeft(recentTokens, limit);
  const keptMessageTokens = recentTokens + (pinned === undefined ? 0 : requestTokens);
  return {
    kind: 'compact',
    summarise,
    keepFrom: start,
    ...(pinned !== undefined && { keepAlso: pinned }),
    totalTokens,
    keptTokens: surroundingTokens + keptMessageTokens,
    summaryTokens: Math.min(MAX_SUMMARY_TOKENS, budget - keptMessageTokens),
    scale,
  };
}

/** The start of the longest end of the history that fits; at least its last unit. */
function firstKept(units: readonly Unit[], keepTokens: number): number {
  let start = units.at(-1)?.start ?? 0;
  let kept = 0;
  for (const unit of units.toReversed()) {
    kept += unit.tokens;
    if (kept > keepTokens) break;
    start = unit.start;
  }
  return start;
}

function unitsOf(messages: readonly Message[], tokens: readonly number[]): readonly Unit[] {
  const units: Unit[] = [];
  messages.forEach((message, index) => {
    const last = units.at(-1);
    const before = messages[index - 1];
    const belongs = before && toolUsesOf(before).length > 0 && isResults(message);
    const count = tokens[index] ?? 0;
    if (last && belongs) {
      units[units.length - 1] = { ...last, tokens: last.tokens + count };
    } else {
      units.push({ start: index, tokens: count });
    }
  });
  return units;
}

/** The user's message that starts the turn of the first kept message, if the cut is inside a turn. */
function requestBefore(messages: readonly Message[], start: number): number | undefined {
  const first = messages[start];
  if (!first || first.role !== 'assistant') return undefined;
  const request = messages.slice(0, start).findLastIndex(isRequest);
  return request < 0 ? undefined : request;
}

function isRequest(message: Message): boolean {
  return message.role === 'user' && !isResults(message);
}

function isResults({ content }: Message): boolean {
  return content.some((block) => block.type === 'tool_result');
}

function tooMuchAround(surroundingTokens: number, limit: number): CompactionPlan {
  return impossible(
    `System prompt and tools alone take ${surroundingTokens} of ${limit} tokens.`,
    'Offer fewer tools at once, shorten the prompt or raise thresholdTokens.',
  );
}

function tooLongAnEnd(messages: number, tokens: number, room: number): CompactionPlan {
  return impossible(
    `The end of the conversation (messages: ${messages}), which must stay, takes ${tokens} tokens, and there is room for ${room}.`,
    'Lower maxResultChars or raise thresholdTokens.',
  );
}

function nothingLeft(tokens: number, limit: number): CompactionPlan {
  return impossible(
    `Nothing is left to summarise: recent messages take ${tokens} of ${limit} tokens.`,
    'Lower keepRecentTokens or raise thresholdTokens.',
  );
}

function impossible(problem: string, remedy: string): CompactionPlan {
  return { kind: 'impossible', reason: `${problem} ${remedy}` };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
