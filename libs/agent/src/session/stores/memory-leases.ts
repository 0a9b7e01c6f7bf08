import { getOrAdd } from '../../internal';
import { isHeld, type MemorySession } from './memory-session';

/** The leases of a memory store, by owner, so that an owner's leases can be counted quickly. */
export class MemoryLeases {
  /** Sessions whose lease was not released; some of the leases may have expired. */
  private readonly taken = new Map<string, Set<MemorySession>>();

  /** The sessions of an owner that are still held. */
  heldBy(owner: string): readonly MemorySession[] {
    return [...(this.taken.get(owner) ?? [])].filter(isHeld);
  }

  take(session: MemorySession, until: number): void {
    session.leaseToken += 1;
    session.leaseUntil = until;
    const { owner, parent } = session;
    if (owner === undefined || parent) return;
    getOrAdd(this.taken, owner, () => new Set()).add(session);
  }

  free(session: MemorySession): void {
    session.leaseUntil = 0;
    const { owner = '' } = session;
    const taken = this.taken.get(owner);
    taken?.delete(session);
    if (taken?.size === 0) this.taken.delete(owner);
  }
}
