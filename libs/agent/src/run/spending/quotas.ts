import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { costOf, type TokenPrices } from '../../message';
import { BUCKET_MS, type SessionStore, type UsageSum } from '../../session';
import { AgentError } from '../../tool';
import { QuotaExceededError, RUN_OPTIONS, RUN_STORE, type RunOptions } from '../request';
import { UsageRecorder } from './usage-recorder';

/** The limit of one principal within a time window. */
interface Quota {
  readonly max: number;
  readonly windowMs: number;
  amountOf(sum: UsageSum): number;
}

/** The quotas of principals, counted in the ledger that all processes share. */
@Injectable()
export class Quotas implements OnModuleInit {
  private readonly quotas: readonly Quota[];

  constructor(
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    @Inject(RUN_STORE) private readonly store: SessionStore,
    private readonly recorder: UsageRecorder,
  ) {
    this.quotas = quotasOf(options);
  }

  onModuleInit(): void {
    if (this.quotas.length === 0 || this.store.usage) return;
    throw new AgentError(
      'invalid_options',
      'limits.tokensPerPrincipal and limits.costPerPrincipal need a session store that keeps a ledger. This one has no method usage().',
    );
  }

  /** @throws AgentError if the cost of a model is limited and has no price */
  checkModels(names: Iterable<string>): void {
    const { costPerPrincipal } = this.options;
    if (!costPerPrincipal) return;
    for (const name of names) {
      if (pricesFor(costPerPrincipal.prices, name)) continue;
      throw new AgentError(
        'invalid_options',
        `limits.costPerPrincipal.prices must have the model "${name}".`,
      );
    }
  }

  /**
   * Checks the ledger if there is a quota. Anonymous callers have none.
   *
   * @throws QuotaExceededError
   */
  async check(principal: string | undefined): Promise<void> {
    if (principal === undefined || this.quotas.length === 0) return;
    await this.recorder.settled();
    const waits = await Promise.all(this.quotas.map((quota) => this.waitFor(principal, quota)));
    const waitMs = Math.max(...waits);
    if (waitMs > 0) throw new QuotaExceededError(waitMs);
  }

  /** Milliseconds until the principal is below the quota again; 0 if it is now. */
  private async waitFor(owner: string, quota: Quota): Promise<number> {
    const now = Date.now();
    const query = { owner, from: new Date(Math.max(0, now - quota.windowMs)) };
    const byModel = (await this.store.usage?.({ ...query, by: ['model'] })) ?? [];
    if (isWithin(quota, byModel)) return 0;
    const sums = (await this.store.usage?.({ ...query, by: ['model', 'minute'] })) ?? [];
    const minutes = [...new Set(sums.map(startOf))].toSorted((a, b) => a - b);
    const enough = minutes.find((minute) =>
      isWithin(
        quota,
        sums.filter((sum) => startOf(sum) > minute),
      ),
    );
    if (enough === undefined) return quota.windowMs;
    return Math.max(1, enough + BUCKET_MS + quota.windowMs - now);
  }
}

function quotasOf({ tokensPerPrincipal, costPerPrincipal }: RunOptions): readonly Quota[] {
  const quotas: Quota[] = [];
  if (tokensPerPrincipal) {
    const { tokens: max, windowMs } = tokensPerPrincipal;
    quotas.push({ max, windowMs, amountOf: ({ usage }) => usage.totalTokens });
  }
  if (costPerPrincipal) {
    const { prices, ...limit } = costPerPrincipal;
    const amountOf = ({ usage, model = '' }: UsageSum): number => {
      if (usage.totalTokens === 0) return 0;
      const known = pricesFor(prices, model);
      return known ? costOf(usage, known) : Infinity;
    };
    quotas.push({ ...limit, amountOf });
  }
  return quotas;
}

/** Written so that NaN as a limit does not lift the quota. */
function isWithin(quota: Quota, sums: readonly UsageSum[]): boolean {
  return sums.reduce((total, sum) => total + quota.amountOf(sum), 0) < quota.max;
}

function startOf({ at }: UsageSum): number {
  return at?.getTime() ?? 0;
}

/** A model's own prices; `undefined` without any. */
export function pricesFor(
  prices: Readonly<Record<string, TokenPrices>>,
  model: string,
): TokenPrices | undefined {
  return Object.hasOwn(prices, model) ? prices[model] : undefined;
}

/** The prices of a model: those of the quota, then those of the budget. */
export function configuredPrices(
  { costPerPrincipal, budget }: RunOptions,
  model: string,
): TokenPrices | undefined {
  return (
    pricesFor(costPerPrincipal?.prices ?? {}, model) ?? pricesFor(budget.cost?.prices ?? {}, model)
  );
}
