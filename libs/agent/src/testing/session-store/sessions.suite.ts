import { randomUUID } from 'node:crypto';
import { testGlobals } from '../test-globals';
import { anotherMillisecond, codeOf, each } from './answers';
import { said } from './entries';
import { LONG_MS, type StoreUnderTest } from './store-under-test';

/** A session's record. */
export function describeSessions(under: StoreUnderTest): void {
  const { describe, it, expect } = testGlobals();

  describe('a session', () => {
    it('is created empty and found again', async () => {
      const id = randomUUID();
      const created = await under.store.create({ id, owner: 'alice' });
      expect(created).toMatchObject({ id, owner: 'alice', version: 0, readFrom: 1 });
      expect(await under.peer.find(id)).toEqual(created);
      expect(await under.store.read(id)).toEqual([]);
    });

    it('can be anonymous', async () => {
      const id = await under.newSession();
      const found = await under.store.find(id);
      expect(found?.owner).toBeUndefined();
    });

    it('is created once', async () => {
      const id = await under.newSession('alice');
      expect(await codeOf(under.peer.create({ id, owner: 'bob' }))).toBe('session_exists');
      expect((await under.store.find(id))?.owner).toBe('alice');
    });

    it('is created once by concurrent requests', async () => {
      const id = randomUUID();
      const codes = await Promise.all(
        each(20, (index) => codeOf(under.side(index).create({ id }))),
      );
      expect(codes.filter((code) => code === undefined)).toHaveLength(1);
      expect(codes.filter((code) => code === 'session_exists')).toHaveLength(19);
    });

    it('is not found under another id', async () => {
      await under.newSession();
      expect(await under.store.find('nobody')).toBeUndefined();
      expect(await under.store.findByRun('nobody')).toBeUndefined();
      expect(await under.store.read('nobody')).toEqual([]);
      expect(await codeOf(under.store.acquire('nobody', LONG_MS))).toBe('session_not_found');
    });

    it('accepts ids and owners of any characters', async () => {
      for (const odd of ['\u0000', '"; drop table', '\\u0000', 'ümlaut 💥', '\ud800', '']) {
        await under.store.create({ id: `s${odd}`, owner: `o${odd}` });
        expect(await under.store.find(`s${odd}`)).toMatchObject({
          id: `s${odd}`,
          owner: `o${odd}`,
        });
        expect(await under.store.list(`o${odd}`)).toHaveLength(1);
      }
    });

    it('is listed for its owner, the last used first', async () => {
      const first = await under.newSession('alice');
      const second = await under.newSession('alice');
      // Some clocks have a resolution of a millisecond.
      await anotherMillisecond();
      const third = await under.newSession('alice');
      await under.newSession('bob');
      await anotherMillisecond();
      await under.newSession();
      await under.write(first, [said('Hello')]);
      const ids = (await under.store.list('alice')).map(({ id }) => id);
      expect(ids).toEqual([first, third, second]);
      const page = await under.store.list('alice', { limit: 1, offset: 1 });
      expect(page.map(({ id }) => id)).toEqual([third]);
      expect(await under.store.list('carol')).toEqual([]);
    });

    it('is counted for its owner and in total', async () => {
      await under.newSession('alice');
      await under.newSession('bob');
      await under.newSession();
      expect(await under.store.count('alice')).toBe(1);
      expect(await under.store.count()).toBe(3);
    });
  });
}
