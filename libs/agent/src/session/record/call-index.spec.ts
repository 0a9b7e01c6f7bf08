import { CallIndex } from './call-index';

interface Item {
  readonly id: string;
  readonly via?: string;
}

describe('CallIndex', () => {
  const index = new CallIndex<Item>(({ id, via }) => (via === undefined ? [id] : [id, via]));

  it('finds elements by each of their ids, in order', () => {
    const list = [{ id: 'a', via: 'x' }, { id: 'b' }, { id: 'c', via: 'x' }];
    expect(index.placesOf(list, 'x')).toEqual([0, 2]);
    expect(index.placesOf(list, 'b')).toEqual([1]);
    expect(index.placesOf(list, 'z')).toEqual([]);
  });

  it('counts an element that replaces one of another id', () => {
    const list = index.replaced([{ id: 'a' }, { id: 'b' }, { id: 'b' }], 1, { id: 'a' });
    expect(index.placesOf(list, 'a')).toEqual([0, 1]);
    expect(index.placesOf(list, 'b')).toEqual([2]);
  });

  it('also serves a list from which others were made', () => {
    const before: readonly Item[] = [{ id: 'a' }];
    const after = index.added(before, { id: 'a' });
    const other = index.added(before, { id: 'b' });
    const lists = [before, after, other, index.replaced(before, 0, { id: 'a' })];
    expect(lists.map((list) => index.placesOf(list, 'a'))).toEqual([[0], [0, 1], [0], [0]]);
  });
});
