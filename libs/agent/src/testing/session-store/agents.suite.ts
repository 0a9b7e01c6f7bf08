import { randomUUID } from 'node:crypto';
import type { AgentFilter } from '../../session';
import { testGlobals } from '../test-globals';
import { anotherMillisecond, each } from './answers';
import { LONG_MS, type StoreUnderTest } from './store-under-test';

const ALL: AgentFilter = {};
const SUPPORT: AgentFilter = { agent: 'support' };
const DEFAULT: AgentFilter = { agent: null };

/** Sessions of several agents in one store. */
export function describeAgents(under: StoreUnderTest): void {
  const { describe, it, expect } = testGlobals();

  /** Two sessions of an owner with one agent, one with the default agent, and one of another. */
  async function sessionsOf(owner: string) {
    const support = await under.newSession(owner, { agent: 'support' });
    await anotherMillisecond();
    const root = await under.newSession(owner);
    await anotherMillisecond();
    const research = await under.newSession(owner, { agent: 'research' });
    await anotherMillisecond();
    const latest = await under.newSession(owner, { agent: 'support' });
    return { support, root, research, latest };
  }

  async function listed(owner: string, page: Parameters<typeof under.store.list>[1]) {
    return (await under.peer.list(owner, page)).map(({ id }) => id);
  }

  describe('the agent of a session', () => {
    it('is on its record, from every method', async () => {
      const id = randomUUID();
      const created = await under.store.create({ id, owner: 'alice', agent: 'support' });
      expect(created.agent).toBe('support');
      expect(await under.peer.find(id)).toEqual(created);
      expect((await under.peer.list('alice'))[0]?.agent).toBe('support');
      expect((await under.store.acquire(id, LONG_MS))?.record.agent).toBe('support');
    });

    it('is missing for the default agent', async () => {
      const id = await under.newSession('alice');
      expect(Object.keys((await under.peer.find(id)) ?? {}).includes('agent')).toBe(false);
    });

    it('may have any characters', async () => {
      for (const agent of ['\u0000', '"; drop table', '\ud800', 'null', '']) {
        const id = await under.newSession('alice', { agent });
        expect((await under.peer.find(id))?.agent).toBe(agent);
        expect(await listed('alice', { agent })).toEqual([id]);
      }
    });

    it('selects the sessions that are listed', async () => {
      const { support, root, research, latest } = await sessionsOf('alice');
      await sessionsOf('bob');
      expect(await listed('alice', SUPPORT)).toEqual([latest, support]);
      expect(await listed('alice', DEFAULT)).toEqual([root]);
      expect(await listed('alice', ALL)).toEqual([latest, research, root, support]);
      expect(await listed('alice', { agent: 'nobody' })).toEqual([]);
    });

    it('selects before the page is taken', async () => {
      const { support } = await sessionsOf('alice');
      expect(await listed('alice', { ...SUPPORT, limit: 1, offset: 1 })).toEqual([support]);
    });

    it('selects the sessions that are counted', async () => {
      await sessionsOf('alice');
      await sessionsOf('bob');
      const counts = (owner?: string) =>
        Promise.all([SUPPORT, DEFAULT, ALL].map((of) => under.peer.count(owner, of)));
      expect(await counts('alice')).toEqual([2, 1, 4]);
      expect(await counts()).toEqual([4, 2, 8]);
    });

    it('selects the sessions that are deleted', async () => {
      const { root, research } = await sessionsOf('alice');
      await sessionsOf('bob');
      expect(await under.store.deleteAll('alice', SUPPORT)).toBe(2);
      expect(await listed('alice', ALL)).toEqual([research, root]);
      expect(await under.store.deleteAll('alice', DEFAULT)).toBe(1);
      expect(await listed('alice', ALL)).toEqual([research]);
      expect(await under.store.deleteAll(undefined, SUPPORT)).toBe(2);
      expect(await under.store.count()).toBe(3);
    });

    it('does not multiply the leases allowed for an owner', async () => {
      const limit = { maxPerOwner: 2 };
      const ids = await Promise.all(
        each(4, (index) => under.newSession('alice', { agent: `agent ${index}` })),
      );
      const taken = await Promise.allSettled(
        ids.map((id) => under.store.acquire(id, LONG_MS, limit)),
      );
      expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    });
  });
}
