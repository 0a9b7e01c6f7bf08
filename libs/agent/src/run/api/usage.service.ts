import { Inject, Injectable } from '@nestjs/common';
import { addUsage, costOf, type Usage } from '../../message';
import type { SessionStore, UsageField, UsageSum } from '../../session';
import { AgentError } from '../../tool';
import { InvalidInputError, RUN_OPTIONS, RUN_STORE, type RunOptions } from '../request';
import { configuredPrices, UsageRecorder } from '../spending';

/** The fields by which `UsageService.totals` groups its rows. */
export type UsageGroup = 'principal' | 'agent' | 'model' | 'day';

/** Which usage is summed. */
export interface UsageTotalsQuery {
  /** The start, rounded down to the minute. */
  readonly from: Date;
  /** The end, which is left out, rounded up to the minute. */
  readonly to: Date;
  /** One row for each combination of these; empty for a single row. */
  readonly by: readonly UsageGroup[];
  /** The usage of one principal; of all, and of anonymous callers, by default. */
  readonly principal?: string;
}

/** The usage of one combination of the `by` fields. */
export interface UsageTotals {
  /** The principal, with `by: ['principal']`; missing for anonymous callers. */
  readonly principal?: string;
  /** The agent's name, with `by: ['agent']`. */
  readonly agent?: string;
  /** The model's own name, with `by: ['model']`. */
  readonly model?: string;
  /** The UTC date as `YYYY-MM-DD`, with `by: ['day']`. */
  readonly day?: string;
  /** Tokens by kind. */
  readonly usage: Usage;
  /** Started runs, those of asked agents included. */
  readonly runs: number;
  /** Tool calls that models asked for. */
  readonly toolCalls: number;
  /** In the currency of the prices; missing if a model has no price. */
  readonly cost?: number;
}

const FIELDS: Readonly<Record<UsageGroup, UsageField>> = {
  principal: 'owner',
  agent: 'agent',
  model: 'model',
  day: 'day',
};

/**
 * Sums usage per principal, agent, model or day, over all agents and processes, from the session store.
 *
 * @example
 * async function costOfToday(usage: UsageService, principal: string) {
 *   const to = new Date();
 *   const from = new Date(to.getTime() - 24 * 3_600_000);
 *   const [sum] = await usage.totals({ from, to, by: [], principal });
 *   return sum?.cost ?? 0;
 * }
 */
@Injectable()
export class UsageService {
  /** @internal */
  constructor(
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    @Inject(RUN_STORE) private readonly store: SessionStore,
    private readonly recorder: UsageRecorder,
  ) {}

  /**
   * Sums tokens, runs, tool calls and cost. Prices are those of `limits.costPerPrincipal`, then those
   * of `budget.cost`.
   *
   * @param query the time, the grouping, and the principal
   * @throws InvalidInputError if the query is invalid
   * @throws AgentError `usage_not_kept` if the session store keeps no ledger
   */
  async totals(query: UsageTotalsQuery): Promise<readonly UsageTotals[]> {
    checkQuery(query);
    const { from, to, by, principal } = query;
    if (!this.store.usage) {
      throw new AgentError('usage_not_kept', 'The session store has no method usage().');
    }
    await this.recorder.settled();
    const sums = await this.store.usage({
      from,
      to,
      by: [...new Set([...by.map((group) => FIELDS[group]), 'model' as const])],
      ...(principal !== undefined && { owner: principal }),
    });
    const rows = new Map<string, UsageTotals>();
    for (const sum of sums) {
      const next = this.rowOf(sum, by);
      const { principal: owner, agent, model, day } = next;
      const key = JSON.stringify([owner ?? null, agent, model, day]);
      const row = rows.get(key);
      rows.set(key, row ? joined(row, next) : next);
    }
    return [...rows.values()];
  }

  private rowOf(
    { owner, agent, model = '', at, usage, runs, toolCalls }: UsageSum,
    by: readonly UsageGroup[],
  ): UsageTotals {
    const prices = configuredPrices(this.options, model);
    return {
      ...(owner !== undefined && { principal: owner }),
      ...(agent !== undefined && { agent }),
      ...(by.includes('model') && { model }),
      ...(at && { day: at.toISOString().slice(0, 10) }),
      usage,
      runs,
      toolCalls,
      ...(prices && { cost: costOf(usage, prices) }),
    };
  }
}

function joined(row: UsageTotals, next: UsageTotals): UsageTotals {
  const { cost, ...rest } = row;
  const both = cost !== undefined && next.cost !== undefined && { cost: cost + next.cost };
  return {
    ...rest,
    usage: addUsage(row.usage, next.usage),
    runs: row.runs + next.runs,
    toolCalls: row.toolCalls + next.toolCalls,
    ...both,
  };
}

function checkQuery({ from, to, by, principal }: UsageTotalsQuery): void {
  const isDate = (value: unknown): boolean =>
    value instanceof Date && !Number.isNaN(value.getTime());
  if (!isDate(from) || !isDate(to)) throw new InvalidInputError('from and to must be valid dates.');
  if (from >= to) throw new InvalidInputError('from must be before to.');
  if (!Array.isArray(by) || !by.every((group) => Object.hasOwn(FIELDS, group as string))) {
    const names = Object.keys(FIELDS).join(', ');
    throw new InvalidInputError(`by must be a list of these: ${names}.`);
  }
  if (principal !== undefined && typeof principal !== 'string') {
    throw new InvalidInputError('principal must be a string.');
  }
}
