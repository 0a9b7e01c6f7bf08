import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Message } from '../../message';
import {
  EMPTY_SESSION,
  sessionStateOf,
  type SessionRecord,
  type SessionState,
  type SessionStore,
} from '../../session';
import { RUN_STORE } from '../request';

/** How many sessions are kept, and how many characters of all together. */
const MOST_SESSIONS = 1_000;
const MOST_CHARS = 16_000_000;
/** A session that nobody goes on with is let go after this time, in milliseconds. */
const KEPT_MS = 5 * 60_000;

interface Folded {
  readonly state: SessionState;
  /** Ids may be given again once their session is gone. */
  readonly createdAt: number;
  readonly owner: string | undefined;
  readonly chars: number;
  readonly until: number;
}

/**
 * What this process knows of the sessions it wrote to, so that the next message reads only what is
 * new. The store alone says how far a session is: what is kept here is a beginning of it, or nothing.
 */
@Injectable()
export class FoldedSessions implements OnApplicationShutdown {
  /** The one that was used last stands last. */
  private readonly sessions = new Map<string, Folded>();
  private readonly lengths = new WeakMap<Message, number>();
  private chars = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(@Inject(RUN_STORE) private readonly store: SessionStore) {}

  /** The session's state. @throws NewerSessionError where a newer release wrote to it */
  async stateOf(record: SessionRecord): Promise<SessionState> {
    const { id, version, readFrom } = record;
    if (version === 0) return EMPTY_SESSION;
    const known = this.known(record);
    if (known === undefined) return sessionStateOf(await this.store.read(id, readFrom));
    if (known.version === version) return known;
    return sessionStateOf(await this.store.read(id, known.version + 1), known);
  }

  /** @param state the session's, after what this process wrote */
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

  /** @param owner everybody's by default */
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
    // What follows on it may be gone from the store.
    return state.version <= version && state.version + 1 >= readFrom ? state : undefined;
  }

  private lengthOf(message: Message): number {
    const known = this.lengths.get(message) ?? JSON.stringify(message.content).length;
    this.lengths.set(message, known);
    return known;
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
