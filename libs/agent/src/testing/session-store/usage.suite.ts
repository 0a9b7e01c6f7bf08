import { randomUUID } from 'node:crypto';
import {
  addSpent,
  NOTHING_SPENT,
  type SessionStore,
  type Spending,
  type Spent,
  type UsageField,
  type UsageSum,
} from '../../session';
import { testGlobals } from '../test-globals';
import { said } from './entries';
import { testsOf } from './optional-methods';
import type { StoreUnderTest } from './store-under-test';

type Ledger = Required<Pick<SessionStore, 'usage'>>;

const HOUR_MS = 3_600_000;

/** The usage of principals. Stores without a ledger skip these tests. */
export function describeUsage(under: StoreUnderTest): void {
  const { describe, expect } = testGlobals();
  const it = testsOf(under, 'usage', 'addUsage', 'removeUsage');

  describe('the ledger', () => {
    it('contains the usage of an append, by owner, agent, model and time', async (_store, ledger) => {
      const owner = `\u0000"${randomUUID()}`;
      await spend(under, await under.newSession(owner), [
        spending(1),
        spending(2, 'other "\u0000'),
      ]);
      await spend(under, await under.newSession(owner), [spending(3), spending(4)]);
      const sums = await sumsOf(ledger, owner, ['owner', 'agent', 'model', 'minute']);
      expect(totalsOf(sums)).toEqual({ 'one/model': 8, 'one/other "\u0000': 2 });
      expect(sums.map((sum) => sum.owner)).toEqual(sums.map(() => owner));
      expect(sums.every(({ at }) => Math.abs(Date.now() - (at?.getTime() ?? 0)) < HOUR_MS)).toBe(
        true,
      );
    });

    it('sums every count', async (ledger) => {
      const owner = randomUUID();
      await ledger.addUsage(owner, [
        spending(1),
        spending(2, 'other'),
        spending(3, 'model', 'two'),
      ]);
      await ledger.addUsage(owner, [spending(4)]);
      expect(await sumsOf(ledger, owner, [])).toEqual([countsOf(10, 4)]);
      const [day, ...more] = await sumsOf(ledger, owner, ['day']);
      expect(more).toEqual([]);
      expect((day?.at?.getTime() ?? 1) % (24 * HOUR_MS)).toBe(0);
      expect(totalsOf(await sumsOf(ledger, owner, ['agent']))).toEqual({ 'one/': 7, 'two/': 3 });
    });

    it('sums all usage by every combination of fields', async (ledger, peer) => {
      const next = seeded(20_260);
      const owners: string[] = [randomUUID(), randomUUID(), randomUUID()];
      const added: (Spending & { readonly owner: string })[] = [];
      for (let time = 0; time < 30; time += 1) {
        const owner = owners[next(owners.length)] ?? '';
        const spent = Array.from({ length: 1 + next(4) }, () =>
          spending(next(1_000), `model ${next(3)}`, `agent ${next(2)}`),
        );
        if (next(2) === 0) await (next(2) === 0 ? ledger : peer).addUsage(owner, spent);
        else await spend(under, await under.newSession(owner), spent);
        added.push(...spent.map((each) => ({ owner, ...each })));
      }
      for (const by of combinationsOf(['owner', 'agent', 'model'] as const)) {
        // Other tests add usage for other owners.
        const asked = by.includes('owner') ? [undefined] : owners;
        for (const owner of asked) {
          const sumsBy = async (fields: readonly UsageField[]) =>
            (await sumsOf(peer, owner, fields)).filter(
              (sum) => owner !== undefined || owners.includes(sum.owner ?? ''),
            );
          const own = await sumsBy(by);
          const expected = added.filter((each) => owner === undefined || each.owner === owner);
          expect(folded(own, by)).toEqual(folded(expected, by));
          expect(own).toHaveLength(Object.keys(folded(expected, by)).length);
          for (const period of ['day', 'minute'] as const) {
            const parts = await sumsBy([...by, period]);
            expect(parts.every(({ at }) => at !== undefined)).toBe(true);
            expect(folded(parts, by)).toEqual(folded(expected, by));
          }
        }
      }
    });

    it('loses nothing under concurrent appends', async (ledger, peer) => {
      const owner = randomUUID();
      const both = [spending(1), spending(1, 'other')];
      await Promise.all(
        Array.from({ length: 20 }, (_each, index) =>
          index % 2 ? peer.addUsage(owner, both) : ledger.addUsage(owner, both.toReversed()),
        ),
      );
      expect(await sumsOf(peer, owner, [])).toEqual([countsOf(40, 40)]);
    });

    it('contains nothing of a refused append', async (ledger) => {
      const owner = randomUUID();
      const { lease } = await under.leased(owner);
      const append = { expectedVersion: 7, entries: [], spent: [spending(1)] };
      expect(await under.refusalOf(lease, append)).toBe('version_conflict');
      expect(await sumsOf(ledger, owner, [])).toEqual([]);
    });

    it('keeps anonymous callers apart', async (ledger) => {
      const model = randomUUID();
      await ledger.addUsage(undefined, [spending(1, model)]);
      await spend(under, await under.newSession(), [spending(2, model)]);
      await ledger.addUsage('', [spending(4, model)]);
      const sums = await sumsOf(ledger, undefined, ['owner', 'model']);
      const own = sums.filter((sum) => sum.model === model);
      expect(own.find(({ owner }) => owner === undefined)?.usage.totalTokens).toBe(3);
      expect(own.find(({ owner }) => owner === '')?.usage.totalTokens).toBe(4);
    });

    it('remains after the session is deleted, until its time range is removed', async (ledger) => {
      const owner = randomUUID();
      const id = await under.newSession(owner);
      await spend(under, id, [spending(5)]);
      await under.store.delete(id);
      await under.store.deleteAll(owner);
      await ledger.removeUsage(new Date(Date.now() - HOUR_MS));
      expect(await sumsOf(ledger, owner, [])).toEqual([countsOf(5, 1)]);
      await ledger.removeUsage(new Date(Date.now() + HOUR_MS));
      expect(await sumsOf(ledger, owner, [])).toEqual([]);
    });

    it('returns the usage of the requested time range', async (ledger) => {
      const owner = randomUUID();
      await ledger.addUsage(owner, [spending(5)]);
      const now = Date.now();
      const between = async (from: number, to: number) =>
        (await ledger.usage({ owner, by: [], from: new Date(from), to: new Date(to) })).length;
      expect(await between(now - HOUR_MS, now + HOUR_MS)).toBe(1);
      expect(await between(now - 2 * HOUR_MS, now - HOUR_MS)).toBe(0);
      expect(await between(now + HOUR_MS, now + 2 * HOUR_MS)).toBe(0);
    });
  });
}

async function spend(under: StoreUnderTest, id: string, spent: readonly Spending[]): Promise<void> {
  const lease = await under.leaseOf(id);
  const entries = [said('hello')];
  await under.store.append(id, { lease, expectedVersion: 0, entries, spent, release: true });
}

function sumsOf(
  ledger: Ledger,
  owner: string | undefined,
  by: readonly UsageField[],
): Promise<readonly UsageSum[]> {
  const from = new Date(Date.now() - HOUR_MS);
  return ledger.usage({ from, by, ...(owner !== undefined && { owner }) });
}

/** Tokens by agent and model. */
function totalsOf(sums: readonly UsageSum[]): Readonly<Record<string, number>> {
  const totals: Record<string, number> = {};
  for (const { agent = '', model = '', usage } of sums) {
    const key = `${agent}/${model}`;
    totals[key] = (totals[key] ?? 0) + usage.totalTokens;
  }
  return totals;
}

function countsOf(tokens: number, runs: number) {
  const usage = {
    inputTokens: tokens * 2,
    outputTokens: -tokens,
    totalTokens: tokens,
    cachedInputTokens: tokens * 3,
    cacheWriteTokens: tokens * 4,
    reasoningTokens: tokens * 5_000_000_000,
  };
  return { usage, runs, toolCalls: tokens * 2 };
}

/** All counts differ, and one is larger than 32 bits. */
function spending(tokens: number, model = 'model', agent = 'one'): Spending {
  return { agent, model, ...countsOf(tokens, 1) };
}

/** Pseudo-random integers below a limit, the same in every test run. */
function seeded(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

function combinationsOf<T>(fields: readonly T[]): readonly (readonly T[])[] {
  return fields.reduce<readonly (readonly T[])[]>(
    (found, field) => [...found, ...found.map((each) => [...each, field])],
    [[]],
  );
}

/** The expected sums, computed with a plain loop. */
function folded(
  rows: readonly (Spent & Pick<UsageSum, 'owner' | 'agent' | 'model'>)[],
  by: readonly ('owner' | 'agent' | 'model')[],
): Readonly<Record<string, Spent>> {
  const sums: Record<string, Spent> = {};
  for (const row of rows) {
    const key = JSON.stringify(by.map((field) => row[field]));
    const { usage, runs, toolCalls } = row;
    sums[key] = addSpent(sums[key] ?? NOTHING_SPENT, { usage, runs, toolCalls });
  }
  return sums;
}
