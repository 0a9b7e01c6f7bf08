import { defined } from '../../internal';
import type { JsonValue } from '../../message';
import type { Draft, RecordedEntry, SessionHeadline, StoredEntry } from '../record';
import type { QueuedRun } from './queued-runs';
import type { AgentFilter, Lease, LeaseSignals, NewSession, SessionRecord } from './session-store';

export class MemorySession {
  readonly id: string;
  readonly owner: string | undefined;
  readonly agent: string | undefined;
  readonly children = new Set<MemorySession>();
  readonly createdAt = Date.now();
  lastUsedAt = this.createdAt;
  /** Position of `entries[0]`; grows when the entries before `readFrom` are discarded. */
  firstPosition = 1;
  entries: RecordedEntry[] = [];
  readFrom = 1;
  headline?: SessionHeadline;
  draft?: Draft;
  leaseToken = 0;
  /** As `attendedUntil`, by `performance.now()`: the wall clock may be set. */
  leaseUntil = 0;
  stop?: string;
  attendedUntil = 0;
  readonly deliveries = new Map<string, JsonValue>();
  readonly runIds: string[] = [];
  queued?: { readonly run: QueuedRun; readonly since: number };

  /** @param usage orders sessions used within the same millisecond */
  constructor(
    { id, owner, agent }: NewSession,
    readonly parent: MemorySession | undefined,
    public usage: number,
  ) {
    this.id = id;
    this.owner = owner;
    this.agent = agent;
  }
}

/** A copy, as a database would make: later changes of a tool's arguments do not reach the journal. */
export function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

export function versionOf(session: MemorySession): number {
  return session.firstPosition + session.entries.length - 1;
}

export function isHeld({ leaseUntil }: MemorySession): boolean {
  return leaseUntil > performance.now();
}

export function holds(session: MemorySession, lease: Lease): boolean {
  return session.leaseToken === lease.token && isHeld(session);
}

export function signalsOf({ stop, attendedUntil }: MemorySession): LeaseSignals {
  return {
    ...(stop !== undefined && { stop }),
    ...(attendedUntil > performance.now() && { isAttended: true }),
  };
}

/** Whether a session is not a child, and matches the owner and agent if given. */
export function isConversation(
  session: MemorySession,
  owner: string | undefined,
  { agent }: AgentFilter,
): boolean {
  if (session.parent || (owner !== undefined && session.owner !== owner)) return false;
  return agent === undefined || (session.agent ?? null) === agent;
}

/** A session with all its descendants. */
export function treeOf(session: MemorySession): readonly MemorySession[] {
  return [session, ...[...session.children].flatMap(treeOf)];
}

export function entriesFrom(
  { firstPosition, entries }: MemorySession,
  from: number,
  limit?: number,
): readonly StoredEntry[] {
  const start = Math.max(from - firstPosition, 0);
  return entries
    .slice(start, limit === undefined ? undefined : start + limit)
    .map((entry, index) => ({ position: firstPosition + start + index, entry }));
}

/** Removes the entries before `readFrom`. */
export function discard(session: MemorySession): void {
  session.entries = session.entries.slice(Math.max(0, session.readFrom - session.firstPosition));
  session.firstPosition = Math.max(session.firstPosition, session.readFrom);
}

export function recordOf(session: MemorySession): SessionRecord {
  const { id, owner, agent, parent, createdAt, lastUsedAt, readFrom, headline, draft } = session;
  return defined({
    id,
    owner,
    agent,
    parent: parent?.id,
    createdAt: new Date(createdAt),
    lastUsedAt: new Date(lastUsedAt),
    version: versionOf(session),
    readFrom,
    isHeld: isHeld(session),
    headline,
    draft,
  });
}
