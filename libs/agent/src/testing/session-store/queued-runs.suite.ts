import { randomUUID } from 'node:crypto';
import type { QueuedRun, SessionStore, WaitingRun } from '../../session';
import { eventually } from '../patience';
import { testGlobals } from '../test-globals';
import { codeOf } from './answers';
import { said } from './entries';
import { testsOf } from './optional-methods';
import { LONG_MS, type StoreUnderTest } from './store-under-test';

type Outbox = Required<Pick<SessionStore, 'queuedRuns'>>;

/** Queued runs. Stores without them skip these tests. */
export function describeQueuedRuns(under: StoreUnderTest): void {
  const { describe, expect } = testGlobals();
  const it = testsOf(under, 'queuedRuns', 'queuedRun');

  describe('queued runs', () => {
    it('are stored with an append, replaced and removed with others', async (_store, outbox) => {
      const owner = randomUUID();
      const id = await under.newSession(owner, { agent: 'support "\u0000' });
      const first = queuedRun({ facts: { toolChoice: 'auto "\u0000', tools: [1] } });
      expect(await queue(under, id, first)).toBe(0);
      expect(await outbox.queuedRun(id)).toEqual(first);
      const [waiting] = await all(outbox);
      const { runId, attempt, sealed } = first;
      const agent = 'support "\u0000';
      const of = { runId, attempt, sealed, sessionId: id, owner, agent, isHeld: false };
      expect(waiting).toEqual({ ...of, waitedMs: waiting?.waitedMs });
      expect((waiting?.waitedMs ?? -1) >= 0 && (waiting?.waitedMs ?? LONG_MS) < LONG_MS).toBe(true);
      const second = { runId, attempt: 2, facts: { frontend: 'wait' } };
      await queue(under, id, second, 1);
      expect(await outbox.queuedRun(id)).toEqual(second);
      await queue(under, id, undefined, 2);
      expect(await outbox.queuedRun(id)).toEqual(second);
      await queue(under, id, null, 3);
      expect(await outbox.queuedRun(id)).toBeUndefined();
      expect(await all(outbox)).toEqual([]);
    });

    it('start to wait when they are stored, or stored again', async (outbox) => {
      const id = await under.newSession();
      const run = queuedRun();
      await queue(under, id, run);
      await eventually(async () => ((await all(outbox))[0]?.waitedMs ?? 0) > 20 || undefined);
      const before = performance.now();
      await queue(under, id, run, 1);
      const [again] = await all(outbox);
      // The store's clock may be another one, and round.
      expect((again?.waitedMs ?? 0) < performance.now() - before + 10).toBe(true);
    });

    it('are listed in pages, including those of held sessions', async (_store, outbox) => {
      const ids: string[] = [];
      for (let count = 0; count < 5; count += 1) ids.push(await under.newSession());
      for (const id of ids) await queue(under, id, queuedRun());
      await under.leaseOf(ids[0] ?? '');
      const listed = await all(outbox, 2);
      expect(listed.map(({ sessionId }) => sessionId).toSorted()).toEqual(ids.toSorted());
      expect(listed.filter(({ isHeld }) => isHeld).map(({ sessionId }) => sessionId)).toEqual([
        ids[0],
      ]);
    });

    it('count as runs of their owner', async () => {
      const owner = randomUUID();
      for (const before of [0, 1, 2]) {
        expect(await queue(under, await under.newSession(owner), queuedRun())).toBe(before);
      }
      expect(await queue(under, await under.newSession(randomUUID()), queuedRun())).toBe(0);
      expect(await queue(under, await under.newSession(), queuedRun())).toBe(0);
      const next = await under.newSession(owner);
      const refused = under.peer.acquire(next, LONG_MS, { maxPerOwner: 3 });
      expect(await codeOf(refused)).toBe('too_many_runs');
      const created = under.peer.acquireNew?.({ id: randomUUID(), owner }, LONG_MS, {
        maxPerOwner: 3,
      });
      if (created) expect(await codeOf(created)).toBe('too_many_runs');
      expect((await under.peer.acquire(next, LONG_MS, { maxPerOwner: 4 })) !== undefined).toBe(
        true,
      );
    });

    it('are not stored by a refused append, and are removed with their session', async (outbox) => {
      const { id, lease } = await under.leased();
      const options = { lease, entries: [said('hi')], queued: queuedRun() };
      const refused = under.store.append(id, { ...options, expectedVersion: 7 });
      expect(await codeOf(refused)).toBe('version_conflict');
      expect(await outbox.queuedRun(id)).toBeUndefined();
      await under.store.append(id, { ...options, expectedVersion: 0, release: true });
      await under.store.delete(id);
      expect(await all(outbox)).toEqual([]);
    });
  });
}

function queuedRun(of: Partial<QueuedRun> = {}): QueuedRun {
  return { runId: `run "${randomUUID()}`, attempt: 1, sealed: 'sealed', facts: {}, ...of };
}

/** Appends with this queued run. @returns the number of the owner's other queued runs */
async function queue(
  under: StoreUnderTest,
  id: string,
  queued: QueuedRun | null | undefined,
  expectedVersion = 0,
): Promise<number | undefined> {
  const lease = await under.leaseOf(id);
  const { outstanding } = await under.store.append(id, {
    lease,
    expectedVersion,
    entries: [said('hi')],
    release: true,
    ...(queued !== undefined && { queued }),
  });
  return outstanding;
}

async function all(outbox: Outbox, limit = 100): Promise<readonly WaitingRun[]> {
  const runs: WaitingRun[] = [];
  for (;;) {
    const after = runs.at(-1)?.sessionId;
    const page = await outbox.queuedRuns({ limit, ...(after !== undefined && { after }) });
    runs.push(...page);
    if (page.length < limit) return runs;
  }
}
