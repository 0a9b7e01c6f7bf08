import { randomUUID } from 'node:crypto';
import type { RecordedEntry, SessionHeadline } from '../../session';
import { testGlobals } from '../test-globals';
import { codeOf, each } from './answers';
import { said, startOf } from './entries';
import type { StoreUnderTest } from './store-under-test';

/** Appending and reading entries. */
export function describeJournal(under: StoreUnderTest): void {
  const { describe, it, expect } = testGlobals();

  describe('a journal', () => {
    it('keeps entries in order, with positions from 1', async () => {
      const id = await under.newSession();
      expect(await under.write(id, [said('one'), said('two')])).toBe(2);
      expect(await under.write(id, [said('three')], 2)).toBe(3);
      expect(await under.peer.read(id)).toEqual([
        { position: 1, entry: said('one') },
        { position: 2, entry: said('two') },
        { position: 3, entry: said('three') },
      ]);
      expect((await under.store.find(id))?.version).toBe(3);
    });

    it('is read from a position on, up to a limit', async () => {
      const id = await under.newSession();
      await under.write(
        id,
        each(5, (index) => said(`${index + 1}`)),
      );
      expect(await under.textsOf(id, 4)).toEqual(['4', '5']);
      expect(await under.textsOf(id, 6)).toEqual([]);
      const page = await under.store.read(id, 2, { limit: 2 });
      expect(page.map(({ position }) => position)).toEqual([2, 3]);
    });

    it('keeps texts of models and tools unchanged', async () => {
      const id = await under.newSession();
      const texts = [
        'NUL \u0000 within',
        'lone surrogates \ud83d and \udca5, and a pair 💥',
        '{"quoted": "\\u0000 \\" \\\\"}',
        '{},{"a"},\'\'; $1 -- \r\n\t\u2028\ufeff',
        'x'.repeat(200_000),
        '',
      ];
      await under.write(id, texts.map(said));
      expect(await under.textsOf(id)).toEqual(texts);
    });

    it('does not reflect later changes of an entry by its writer', async () => {
      const id = await under.newSession();
      const input: Record<string, string> = { name: 'before' };
      const entry: RecordedEntry = {
        v: 1,
        type: 'message',
        runId: 'run',
        message: {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'c', name: 't', input }],
        },
      };
      await under.write(id, [entry]);
      input['name'] = 'after';
      const [stored] = await under.store.read(id);
      expect(JSON.stringify(stored?.entry).includes('before')).toBe(true);
    });

    it('accepts an append without entries, which marks it as used', async () => {
      const id = await under.newSession();
      expect(await under.write(id, [])).toBe(0);
      expect(await under.store.read(id)).toEqual([]);
    });

    it('stores all entries of an append or none', async () => {
      const { id, lease } = await under.leased();
      const append = { expectedVersion: 1, entries: [said('one'), said('two')] };
      expect(await under.refusalOf(lease, append)).toBe('version_conflict');
      expect(await under.store.read(id)).toEqual([]);
      expect((await under.store.find(id))?.version).toBe(0);
    });

    it('grows by one of many concurrent appends at the same version', async () => {
      const { id, lease } = await under.leased();
      const codes = await Promise.all(
        each(20, (index) =>
          codeOf(
            under.side(index).append(id, {
              lease,
              expectedVersion: 0,
              entries: [said(`${index}`), said(`${index}`)],
            }),
          ),
        ),
      );
      expect(codes.filter((code) => code === undefined)).toHaveLength(1);
      expect(codes.filter((code) => code === 'version_conflict')).toHaveLength(19);
      const texts = await under.textsOf(id);
      expect(texts).toHaveLength(2);
      expect(texts[0]).toBe(texts[1]);
    });

    it('is found by the runs that started in it', async () => {
      const id = await under.newSession('alice');
      const [first, second] = [randomUUID(), randomUUID()];
      await under.write(id, [startOf(first), said('one'), startOf(second)]);
      expect((await under.peer.findByRun(first))?.id).toBe(id);
      expect((await under.peer.findByRun(second))?.owner).toBe('alice');
    });

    it('keeps unknown kinds of entries, with their version and number', async () => {
      const id = await under.newSession();
      const unknown = { v: 7, seq: 12, type: 'of.another.release', what: ['ever'] };
      await under.write(id, [unknown as unknown as RecordedEntry]);
      expect(await under.peer.read(id)).toEqual([{ position: 1, entry: unknown }]);
    });

    it('finds the position at which a run begins', async () => {
      const id = await under.newSession();
      const [first, second] = [randomUUID(), randomUUID()];
      await under.write(id, [said('one'), startOf(first), said('two'), startOf(second)]);
      expect(await under.peer.findByRun(first)).toMatchObject({ id, runStart: 2 });
      expect(await under.peer.findByRun(second)).toMatchObject({ id, runStart: 4 });
    });

    it('is read from the position that its writer set, and keeps the entries before it', async () => {
      const id = await under.newSession();
      await under.write(id, [said('one'), said('two')]);
      const lease = await under.leaseOf(id);
      const entries = [said('summary'), said('three')];
      await under.store.append(id, { lease, expectedVersion: 2, entries, readFrom: 2 });
      expect(await under.peer.find(id)).toMatchObject({ version: 4, readFrom: 2 });
      await under.store.append(id, { lease, expectedVersion: 4, entries: [said('four')] });
      expect(await under.peer.find(id)).toMatchObject({ version: 5, readFrom: 2 });
      expect(await under.textsOf(id)).toEqual(['one', 'two', 'summary', 'three', 'four']);
    });

    it('discards old entries on demand, and continues its positions', async () => {
      const id = await under.newSession();
      const runId = randomUUID();
      await under.write(id, [startOf(runId), said('two')]);
      const lease = await under.leaseOf(id);
      await under.store.append(id, {
        lease,
        expectedVersion: 2,
        entries: [said('summary')],
        readFrom: 2,
        discardBefore: true,
      });
      const entries = [said('four')];
      expect(await under.store.append(id, { lease, expectedVersion: 3, entries })).toMatchObject({
        version: 4,
      });
      expect((await under.store.read(id)).map(({ position }) => position)).toEqual([2, 3, 4]);
      expect(await under.textsOf(id, 4)).toEqual(['four']);
      expect((await under.store.findByRun(runId))?.id).toBe(id);
    });

    it('has a headline, which the next append may leave as it is', async () => {
      const { id, lease } = await under.leased('alice');
      const headline: SessionHeadline = {
        title: 'Late \u0000 orders \ud83d',
        run: { runId: 'run', status: 'running' },
        permissions: ['deploy'],
      };
      expect((await under.store.find(id))?.headline).toBeUndefined();
      const entries = [said('one')];
      await under.store.append(id, { lease, expectedVersion: 0, entries, headline });
      await under.store.append(id, { lease, expectedVersion: 1, entries });
      const [listed] = await under.peer.list('alice');
      expect(listed?.headline).toEqual(headline);
      expect((await under.peer.find(id))?.headline).toEqual(headline);
    });
  });
}
