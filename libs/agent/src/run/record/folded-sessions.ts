import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { getOrAdd } from '../../internal';
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
/** Milliseconds from a session's last use to its removal from the cache. */
const KEPT_MS = 5 * 60_000;

interface Folded {
  readonly state: SessionState;
  /** Distinguishes a deleted session from a new one with the same id. */
  readonly createdAt: number;
  readonly owner: string | undefined;
  readonly chars: number;
  readonly until: number;
}

/**
 * Caches the states of sessions that this process wrote to, so that the next message reads only new
 * entries. The store decides on the session's version; the cache has an earlier state of it, or
 * none.
 */
@Injectable()
export class FoldedSessions implements OnApplicationShutdown {
  /** In order of last use. */
  private readonly sessions = new Map<string, Folded>();
  private readonly lengths = new WeakMap<Message, number>();
  private chars = 0;
  private timer: NodeJS.Timeout | undefined;

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
    this.forget(id);
    const chars = state.messages.reduce((sum, message) => sum + this.lengthOf(message), 0);
    if (chars > MOST_CHARS / 10) return;
    const until = Date.now() + KEPT_MS;
    this.sessions.set(id, { state, createdAt: createdAt.getTime(), owner, chars, until });
    this.chars += chars;
    for (const oldest of this.sessions.keys()) {
      if (this.sessions.size <= MOST_SESSIONS && this.chars <= MOST_CHARS) break;
      this.forget(oldest);
    }
    this.timer ??= setInterval(() => this.sweep(), KEPT_MS / 5).unref();
  }

  forget(sessionId: string): void {
    this.chars -= this.sessions.get(sessionId)?.chars ?? 0;
    this.sessions.delete(sessionId);
  }

  /** @param owner all sessions by default */
  forgetAll(owner?: string): void {
    for (const [id, session] of this.sessions) {
      if (owner === undefined || session.owner === owner) this.forget(id);
    }
  }

  onApplicationShutdown(): void {
    this.sessions.clear();
    this.stopSweeping();
  }

  private known({ id, createdAt, version, readFrom }: SessionRecord): SessionState | undefined {
    const known = this.sessions.get(id);
    if (known?.createdAt !== createdAt.getTime()) return undefined;
    const { state } = known;
    // The entries after it may have been discarded.
    return state.version <= version && state.version + 1 >= readFrom ? state : undefined;
  }

  private lengthOf(message: Message): number {
    return getOrAdd(this.lengths, message, ({ content }) => JSON.stringify(content).length);
  }

  private sweep(): void {
    const now = Date.now();
    for (const [id, { until }] of this.sessions) if (until <= now) this.forget(id);
    if (this.sessions.size === 0) this.stopSweeping();
  }

  private stopSweeping(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
