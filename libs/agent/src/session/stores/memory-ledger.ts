import { getOrAdd } from '../../internal';
import {
  addSpent,
  BUCKET_MS,
  mergedSpendings,
  minutesOf,
  NOTHING_SPENT,
  type Spending,
  type UsageQuery,
  type UsageSum,
} from './usage-ledger';

const DAY_MINUTES = 1_440;

interface Bucket extends Spending {
  readonly owner: string | undefined;
  readonly minute: number;
}

/** Usage per principal, in buckets of a minute. */
export class MemoryLedger {
  /** By minute, so that a query reads only the minutes it needs. */
  private readonly minutes = new Map<number, Map<string, Bucket>>();

  add(owner: string | undefined, spendings: readonly Spending[]): void {
    const minute = Math.floor(Date.now() / BUCKET_MS);
    for (const spending of mergedSpendings(spendings)) {
      const { agent, model } = spending;
      const buckets = getOrAdd(this.minutes, minute, () => new Map<string, Bucket>());
      const key = JSON.stringify([owner ?? null, agent, model]);
      const before = buckets.get(key) ?? NOTHING_SPENT;
      buckets.set(key, { owner, minute, agent, model, ...addSpent(before, spending) });
    }
  }

  sums(query: UsageQuery): readonly UsageSum[] {
    const { first, end = Infinity } = minutesOf(query);
    const sums = new Map<string, UsageSum>();
    for (const [minute, buckets] of this.minutes) {
      if (minute < first || minute >= end) continue;
      for (const bucket of buckets.values()) {
        if (query.owner !== undefined && bucket.owner !== query.owner) continue;
        const fields = fieldsOf(bucket, query);
        const key = JSON.stringify(fields);
        sums.set(key, { ...fields, ...addSpent(sums.get(key) ?? NOTHING_SPENT, bucket) });
      }
    }
    return [...sums.values()];
  }

  removeBefore(before: Date): void {
    const { first } = minutesOf({ from: before });
    for (const minute of this.minutes.keys()) if (minute < first) this.minutes.delete(minute);
  }
}

function fieldsOf(
  { owner, agent, model, minute }: Bucket,
  { by }: UsageQuery,
): Pick<UsageSum, 'owner' | 'agent' | 'model' | 'at'> {
  const day = minute - (minute % DAY_MINUTES);
  const start = by.includes('minute') ? minute : by.includes('day') ? day : undefined;
  return {
    ...(by.includes('owner') && owner !== undefined && { owner }),
    ...(by.includes('agent') && { agent }),
    ...(by.includes('model') && { model }),
    ...(start !== undefined && { at: new Date(start * BUCKET_MS) }),
  };
}
