import { type Message, toolUsesOf } from '../../message';

/**
 * When and how far a history is compacted.
 *
 * @example
 * const compaction: Partial<CompactionOptions> = { thresholdTokens: 100_000 };
 */
export interface CompactionOptions {
  /** A model call with more tokens than this is preceded by a compaction; 64 000 by default. */
  readonly thresholdTokens: number;
  /** Recent messages of about this many tokens stay as they are; 12 000 by default. */
  readonly keepRecentTokens: number;
  /**
   * Whether messages that a summary replaces stay in the store, for the session's owner to read;
   * `true` by default.
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
  /** The tokens of each message, as we count. */
  readonly tokens: readonly number[];
  /** Those of system prompt and tools, as we count. */
  readonly surroundingTokens: number;
  /** Those of the whole model call, as its provider counts where that is known. */
  readonly totalTokens: number;
}

/** How to shorten a history. */
export type CompactionPlan =
  | { readonly kind: 'unneeded' }
  | {
      readonly kind: 'compact';
      /** To be replaced by a summary; all the other messages stand after it. */
      readonly summarise: readonly Message[];
      /** The index of the first message of those that stay. */
      readonly keepFrom: number;
      /** The index of one before them that stays as well. */
      readonly keepAlso?: number;
      readonly totalTokens: number;
      /** The tokens of the call without the summary, estimated. */
      readonly keptTokens: number;
      /** The tokens that the summary message may have, quotation marks included, estimated. */
      readonly summaryTokens: number;
      /** How many of the provider's tokens one of ours is. */
      readonly scale: number;
    }
  | { readonly kind: 'impossible'; readonly reason: string };

/** Messages that only make sense together: a call and its results. */
interface Unit {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
}

/** More than this no summary needs; less than that none can be made of. */
const MAX_SUMMARY_TOKENS = 4_000;
const MIN_SUMMARY_TOKENS = 128;

/**
 * Decides which messages a summary replaces. A call is never parted from its results, the last
 * message is always kept, and each message is either kept or summarised. Where the cut falls into
 * a long turn, the user's message that the turn answers is kept in front, if it is not too long.
 *
 * @returns `impossible` with the reason where no cut brings the call below the threshold
 */
export function planCompaction(question: CompactionQuestion): CompactionPlan {
  const { messages, tokens, surroundingTokens, totalTokens, thresholdTokens } = question;
  if (totalTokens <= thresholdTokens) return { kind: 'unneeded' };
  // Providers count differently. From here on all is counted our way, the limits included.
  const scale = totalTokens / Math.max(1, sum(tokens) + surroundingTokens);
  const limit = Math.floor(thresholdTokens / scale);
  const budget = limit - surroundingTokens;
  if (budget < MIN_SUMMARY_TOKENS) return tooMuchAround(surroundingTokens, limit);
  // Some of the budget is for the summary, whatever the options say.
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

/** The longest end of the history that fits; its last unit even where it does not. */
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
      units[units.length - 1] = { ...last, end: index + 1, tokens: last.tokens + count };
    } else {
      units.push({ start: index, end: index + 1, tokens: count });
    }
  });
  return units;
}

/** The user's message that the first kept one goes on with, where the cut falls inside a turn. */
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
