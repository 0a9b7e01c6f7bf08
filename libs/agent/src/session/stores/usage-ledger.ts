import { addUsage, NO_USAGE, type Usage } from '../../message';

/** Milliseconds of a bucket of the ledger. */
export const BUCKET_MS = 60_000;

/** Counts for the ledger. */
export interface Spent {
  /** The tokens of model calls. */
  readonly usage: Usage;
  /** Runs that were started. */
  readonly runs: number;
  /** Tool calls that models requested. */
  readonly toolCalls: number;
}

/** Counts of one agent and one model. */
export interface Spending extends Spent {
  /** The agent's name. */
  readonly agent: string;
  /** The model's own name. */
  readonly model: string;
}

/** The fields by which sums are grouped. `minute` and `day` are UTC; use at most one of them. */
export type UsageField = 'owner' | 'agent' | 'model' | 'day' | 'minute';

/** Which counts are summed. */
export interface UsageQuery {
  /** The start, rounded down to the minute. */
  readonly from: Date;
  /** The end, which is left out, rounded up to the minute; no end by default. */
  readonly to?: Date;
  /** The usage of one principal; of all, and of anonymous callers, by default. */
  readonly owner?: string;
  /** One sum for each combination of these; empty for a single sum. */
  readonly by: readonly UsageField[];
}

/** The counts of one combination of fields. */
export interface UsageSum extends Spent {
  /** The principal, if grouped by owner; missing for anonymous callers. */
  readonly owner?: string;
  /** The agent's name, if grouped by agent. */
  readonly agent?: string;
  /** The model's own name, if grouped by model. */
  readonly model?: string;
  /** The start of the minute or day, if grouped by one of them. */
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

/** One entry per agent and model, in the same order in all processes; drops empty ones. */
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

/** The minutes of a query as numbers: the first, and the first one after its end. */
export function minutesOf({ from, to }: Pick<UsageQuery, 'from' | 'to'>): {
  readonly first: number;
  readonly end?: number;
} {
  const first = Math.floor(from.getTime() / BUCKET_MS);
  return { first, ...(to && { end: Math.ceil(to.getTime() / BUCKET_MS) }) };
}
