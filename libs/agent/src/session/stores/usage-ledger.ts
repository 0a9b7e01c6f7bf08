import { addUsage, NO_USAGE, type Usage } from '../../message';

/** Milliseconds of a bucket of the ledger. */
export const BUCKET_MS = 60_000;

/** Counts for the ledger. */
export interface Spent {
  /** The tokens of model calls. */
  readonly usage: Usage;
  /** Runs that were started. */
  readonly runs: number;
  /** Calls of tools that models asked for. */
  readonly toolCalls: number;
}

/** Counts of one agent and one model. */
export interface Spending extends Spent {
  /** The agent's name. */
  readonly agent: string;
  /** The model's own name. */
  readonly model: string;
}

/** What sums are kept apart by: `minute` and `day` are of UTC, and at most one of them counts. */
export type UsageField = 'owner' | 'agent' | 'model' | 'day' | 'minute';

/** Which counts are summed. */
export interface UsageQuery {
  /** The first minute, rounded down. */
  readonly from: Date;
  /** The first minute that is left out, rounded up; none is by default. */
  readonly to?: Date;
  /** The counts of one principal; of all, and of anonymous callers, by default. */
  readonly owner?: string;
  /** A sum for each combination of these; one sum where empty. */
  readonly by: readonly UsageField[];
}

/** The counts of one combination of fields. */
export interface UsageSum extends Spent {
  /** The principal; missing of anonymous callers, and where sums are not by owner. */
  readonly owner?: string;
  /** The agent's name, where sums are by agent. */
  readonly agent?: string;
  /** The model's own name, where sums are by model. */
  readonly model?: string;
  /** When the minute or the day begins, where sums are by one of them. */
  readonly at?: Date;
}

export const NOTHING_SPENT: Spent = { usage: NO_USAGE, runs: 0, toolCalls: 0 };

export function addSpent(a: Spent, b: Spent): Spent {
  return {
    usage: addUsage(a.usage, b.usage),
    runs: a.runs + b.runs,
    toolCalls: a.toolCalls + b.toolCalls,
  };
}

/** One of each agent and model, in an order that all processes share; those of nothing are left out. */
export function mergedSpendings(spendings: readonly Spending[]): readonly Spending[] {
  const merged = new Map<string, Spending>();
  for (const { agent, model, ...spent } of spendings) {
    const key = JSON.stringify([agent, model]);
    merged.set(key, { agent, model, ...addSpent(merged.get(key) ?? NOTHING_SPENT, spent) });
  }
  return [...merged]
    .filter(([, { usage, runs, toolCalls }]) => usage.totalTokens > 0 || runs > 0 || toolCalls > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, spending]) => spending);
}

/** The numbers of the minutes that a query is about: the first, and the first that is left out. */
export function minutesOf({ from, to }: Pick<UsageQuery, 'from' | 'to'>): {
  readonly first: number;
  readonly end?: number;
} {
  const first = Math.floor(from.getTime() / BUCKET_MS);
  return { first, ...(to && { end: Math.ceil(to.getTime() / BUCKET_MS) }) };
}
