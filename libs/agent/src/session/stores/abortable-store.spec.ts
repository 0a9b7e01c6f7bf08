import { describeSessionStore } from '../../testing/session-store-contract';
import { AbortableStore } from './abortable-store';
import { memoryStore } from './memory.store';
import type { SessionStore } from './session-store';

const gone = new Error('gone');

function hangingStore(): SessionStore {
  return Object.assign(memoryStore(), { find: () => new Promise<undefined>(() => undefined) });
}

describeSessionStore('AbortableStore', { create: () => new AbortableStore(memoryStore()).store });

describe('AbortableStore', () => {
  it('is the store until it is aborted', async () => {
    const { store } = new AbortableStore(memoryStore());
    const created = await store.create({ id: 's1' });
    expect(await store.find('s1')).toEqual(created);
    await expect(store.create({ id: 's1' })).rejects.toMatchObject({ code: 'session_exists' });
    expect(store.open).toBeUndefined();
  });

  it('rejects what hangs, and whatever is asked later', async () => {
    const abortable = new AbortableStore(hangingStore());
    const hanging = [abortable.store.find('s1'), abortable.store.find('s2')];
    expect(abortable.pending).toEqual(['find', 'find']);
    abortable.abort(gone);
    expect(abortable.pending).toEqual([]);
    const rejected = { status: 'rejected', reason: gone };
    expect(await Promise.allSettled([...hanging, abortable.store.count()])).toEqual([
      rejected,
      rejected,
      rejected,
    ]);
  });

  it('forgets a call that has its answer', async () => {
    const abortable = new AbortableStore(memoryStore());
    await abortable.store.count();
    await abortable.store.append('none', {} as never).catch(() => undefined);
    expect(abortable.pending).toEqual([]);
  });

  it('passes on what a store throws instead of rejecting', async () => {
    const store = {
      find: () => {
        throw gone;
      },
    } as unknown as SessionStore;
    const abortable = new AbortableStore(store);
    await expect(abortable.store.find('s1')).rejects.toBe(gone);
    expect(abortable.pending).toEqual([]);
  });
});
