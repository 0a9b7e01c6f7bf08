import { randomUUID } from 'node:crypto';
import type {
  AppendOptions,
  NewSession,
  RecordedEntry,
  SessionStore,
  TakenLease,
} from '../../session';
import { eventually } from '../patience';
import type { SessionStoreContract } from '../session-store-contract';
import { codeOf } from './answers';
import { said, textOf } from './entries';

export const LONG_MS = 60_000;

/** The store that a suite examines, and a second one on the same sessions. */
export class StoreUnderTest {
  store!: SessionStore;
  peer!: SessionStore;

  constructor(private readonly contract: SessionStoreContract) {}

  async open(): Promise<void> {
    this.store = await this.contract.create();
    await this.store.open?.();
    this.peer = (await this.contract.createPeer?.()) ?? this.store;
    if (this.peer !== this.store) await this.peer.open?.();
  }

  async close(): Promise<void> {
    if (this.peer !== this.store) await this.peer.close?.();
    await this.store.close?.();
    await this.contract.destroy?.();
  }

  /** The two stores in turn. */
  side(index: number): SessionStore {
    return index % 2 ? this.store : this.peer;
  }

  async newSession(owner?: string, of: Pick<NewSession, 'agent' | 'parent'> = {}): Promise<string> {
    const id = randomUUID();
    await this.store.create({ id, ...(owner !== undefined && { owner }), ...of });
    return id;
  }

  /** A conversation with a child of another agent, and the child's own child. */
  async newFamily(owner?: string) {
    const root = await this.newSession(owner, { agent: 'support' });
    const child = await this.newSession(owner, { agent: 'research', parent: root });
    const grandchild = await this.newSession(owner, { parent: child });
    return { root, child, grandchild, ids: [root, child, grandchild] };
  }

  /** The given sessions that still exist. */
  async remaining(ids: readonly string[]): Promise<readonly string[]> {
    const records = await Promise.all(ids.map((id) => this.peer.find(id)));
    return records.flatMap((record) => (record ? [record.id] : []));
  }

  async leaseOf(sessionId: string, ttlMs = LONG_MS): Promise<TakenLease> {
    const lease = await this.store.acquire(sessionId, ttlMs);
    if (!lease) throw new Error('The session is leased already.');
    return lease;
  }

  /** A new session, leased. */
  async leased(owner?: string): Promise<{ id: string; lease: TakenLease }> {
    const id = await this.newSession(owner);
    return { id, lease: await this.leaseOf(id) };
  }

  /** A session whose first lease has expired. */
  async expired(): Promise<{ sessionId: string; stale: TakenLease; next: TakenLease }> {
    const sessionId = await this.newSession();
    const stale = await this.leaseOf(sessionId, 1);
    const next = await eventually(() => this.peer.acquire(sessionId, LONG_MS));
    return { sessionId, stale, next };
  }

  async write(
    sessionId: string,
    entries: readonly RecordedEntry[],
    expectedVersion = 0,
  ): Promise<number> {
    const lease = await this.leaseOf(sessionId);
    const { version } = await this.store.append(sessionId, { lease, expectedVersion, entries });
    await this.store.release(lease);
    return version;
  }

  /** The code of the refusal of an append with this lease; `undefined` if it is taken. */
  refusalOf(lease: TakenLease, append: Partial<AppendOptions> = {}): Promise<unknown> {
    const all = { lease, expectedVersion: 0, entries: [said('late')], ...append };
    return codeOf(this.store.append(lease.sessionId, all));
  }

  async textsOf(sessionId: string, from?: number): Promise<readonly string[]> {
    return (await this.store.read(sessionId, from)).map(({ entry }) => textOf(entry));
  }
}
