import { getOrAdd } from '../../internal';

/**
 * Finds the elements of a list by the ids of their calls. A step may have thousands of calls, so the
 * index of a list moves on to the next list made from it; a list without an index is read once.
 */
export class CallIndex<Item> {
  private readonly indexes = new WeakMap<readonly Item[], Map<string, number[]>>();

  /** @param idsOf the ids of the calls that an element belongs to */
  constructor(private readonly idsOf: (item: Item) => readonly string[]) {}

  /** The places of a call's elements, in order. */
  placesOf(list: readonly Item[], callId: string): readonly number[] {
    return this.of(list).get(callId) ?? [];
  }

  /** The list with one element more. */
  added<Own extends Item>(list: readonly Own[], item: Own): readonly Own[] {
    const index = this.of(list);
    this.add(index, item, list.length);
    return this.moved(list, [...list, item]);
  }

  /** The list with another element at a place. */
  replaced<Own extends Item>(list: readonly Own[], place: number, item: Own): readonly Own[] {
    const next = list.with(place, item);
    const before = list[place];
    const isSame = before && String(this.idsOf(before)) === String(this.idsOf(item));
    return isSame ? this.moved(list, next) : next;
  }

  private of(list: readonly Item[]): Map<string, number[]> {
    return getOrAdd(this.indexes, list, () => {
      const index = new Map<string, number[]>();
      for (const [place, item] of list.entries()) this.add(index, item, place);
      return index;
    });
  }

  private add(index: Map<string, number[]>, item: Item, place: number): void {
    for (const id of this.idsOf(item)) getOrAdd(index, id, () => []).push(place);
  }

  private moved<Own extends Item>(from: readonly Own[], to: readonly Own[]): readonly Own[] {
    this.indexes.set(to, this.of(from));
    this.indexes.delete(from);
    return to;
  }
}
