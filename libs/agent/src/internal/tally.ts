import { once } from './once';

/** How many there are of each kind right now. */
export class Tally<K> {
  private readonly counts = new Map<K, number>();

  get isEmpty(): boolean {
    return this.counts.size === 0;
  }

  of(key: K): number {
    return this.counts.get(key) ?? 0;
  }

  /** Counts one more, until the returned function is called. */
  add(key: K): () => void {
    this.counts.set(key, this.of(key) + 1);
    return once(() => {
      const left = this.of(key) - 1;
      if (left > 0) this.counts.set(key, left);
      else this.counts.delete(key);
    });
  }
}
