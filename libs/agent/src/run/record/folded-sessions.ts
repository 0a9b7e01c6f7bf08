import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { oncePer, outsideRequests } from '../../internal';
import type { Message } from '../../message';
import {
  EMPTY_SESSION,
  sessionStateOf,
  type SessionRecord,
  type SessionState,
  type SessionStore,
} from '../../session';
import { RUN_STORE } from '../request';

/** The limits of the cache: sessions, and characters of all sessions. */
const MOST_SESSIONS = 1_000;
const MOST_CHARS = 16_000_000;
/** Milliseconds from a session's last write to its removal from the cache. */
const KEPT_MS = 5 * 60_000;

const lengthOf = oncePer(({ content }: Message) => JSON.stringify(content).length);

interface Folded {
  readonly state: SessionState;
  /** Distinguishes a deleted session from a new one with the same id. */
  readonly createdAt: number;
  readonly owner: string | undefined;
}

/**
 * Caches the states of sessions that this process wrote to, so that the next message reads only new
 * entries. The store decides on the session's version; the cache has an earlier state of it, or
 * none.
 */
@Injectable()
export class FoldedSessions implements OnApplicationShutdown {
  private readonly sessions = new LRUCache<string, Folded>({
    max: MOST_SESSIONS,
    maxSize: MOST_CHARS,
    maxEntrySize: MOST_CHARS / 10,
    // From 1 on: no size may be 0.
    sizeCalculation: ({ state }) =>
      state.messages.reduce((sum, message) => sum + lengthOf(message), 1),
    ttl: KEPT_MS,
    ttlAutopurge: true,
  });

  constructor(@Inject(RUN_STORE) private readonly store: SessionStore) {}

  /** @throws NewerSessionError if a newer release wrote to the session */
  async stateOf(record: SessionRecord): Promise<SessionState> {
    const { id, version, readFrom } = record;
    if (version === 0) return EMPTY_SESSION;
    const known = this.known(record);
    if (known === undefined) return sessionStateOf(await this.store.read(id, readFrom));
    if (known.version === version) return known;
    return sessionStateOf(await this.store.read(id, known.version + 1), known);
  }

  /** @param state the session's state after this process's last write */
  keep({ id, owner, createdAt }: SessionRecord, state: SessionState): void {
    const folded = { state, createdAt: createdAt.getTime(), owner };
    outsideRequests(() => this.sessions.set(id, folded));
  }

  forget(sessionId: string): void {
    this.sessions.delete(sessionId);
  }

  /** @param owner all sessions by default */
  forgetAll(owner?: string): void {
    for (const [id, session] of [...this.sessions]) {
      if (owner === undefined || session.owner === owner) this.forget(id);
    }
  }

  onApplicationShutdown(): void {
    this.sessions.clear();
  }

  private known({ id, createdAt, version, readFrom }: SessionRecord): SessionState | undefined {
    const known = this.sessions.get(id);
    if (known?.createdAt !== createdAt.getTime()) return undefined;
    const { state } = known;
    // The entries after it may have been discarded.
    return state.version <= version && state.version + 1 >= readFrom ? state : undefined;
  }
}
