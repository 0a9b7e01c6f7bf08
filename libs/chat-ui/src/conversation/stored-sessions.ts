import type { ChatStore } from '../state';
import { isStatus, type AgentApi, type SessionSummary } from '../wire';
import type { Conversation } from './conversation';
import type { Opening } from './opening';
import { problemOf } from './problem-of';
import type { RunLine } from './run.line';

const PAGE = 50;

/** The user's sessions at the server, as the panel lists them. */
export class StoredSessions {
  private readonly api: AgentApi;
  private readonly store: ChatStore;
  private readonly line: RunLine;
  private readonly opening: Opening;
  /** To the same user's other tabs. */
  private channel: BroadcastChannel | undefined;
  /** The request for more of them that is under way. */
  private asking: object | undefined;
  private looks = 0;

  constructor({ line, opening }: Conversation) {
    ({ api: this.api, store: this.store } = line);
    this.line = line;
    this.opening = opening;
  }

  /** Begins to listen to other tabs. */
  connect(): void {
    try {
      this.channel = new BroadcastChannel('agent-chat');
    } catch {
      // Without a storage, some browsers have none.
      return;
    }
    this.channel.onmessage = ({ data }: MessageEvent<string | undefined>) => {
      // The server decides whether it was removed.
      if (data !== undefined && data === this.store.state.sessionId) {
        void this.line.reopen(data, undefined);
      }
      void this.listAnew(data);
    };
  }

  disconnect(): void {
    this.channel?.close();
    this.channel = undefined;
  }

  /** A run began or ended, or a session was removed: all tabs reload their lists. */
  changed(removed?: string): void {
    this.channel?.postMessage(removed);
    void this.listAnew(removed);
  }

  /** Another user may have logged in: an open list is reloaded. */
  arrive(): void {
    if (this.store.state.sessions !== undefined) void this.list();
  }

  async list(): Promise<void> {
    this.store.update({ sessions: 'loading', hasMoreSessions: false });
    this.asking = undefined;
    const look = (this.looks += 1);
    const listed = await this.page(0).catch((error: unknown) => ({
      sessions: undefined,
      problem: problemOf(error, this.store.state.texts),
    }));
    // A list that was closed meanwhile stays closed; an answer to an earlier user is dropped.
    if (this.store.state.sessions === 'loading' && look === this.looks) this.store.update(listed);
  }

  /** Those behind the ones that are listed. */
  async listMore(): Promise<void> {
    const { sessions: listed } = this.store.state;
    if (typeof listed !== 'object' || this.asking) return;
    const asking = (this.asking = {});
    try {
      const page = await this.page(listed.length);
      const { sessions } = this.store.state;
      if (typeof sessions !== 'object' || this.asking !== asking) return;
      // A session that was used meanwhile has pushed others behind it.
      this.store.update({ ...page, sessions: merged(sessions, page.sessions) });
    } catch (error) {
      this.store.update({ problem: problemOf(error, this.store.state.texts) });
    } finally {
      if (this.asking === asking) this.asking = undefined;
    }
  }

  close(): void {
    this.store.update({ sessions: undefined });
  }

  /** Leaves the list for the session that is about to begin. */
  begin(): void {
    this.close();
    this.opening.reset();
  }

  /** Leaves the list for a stored session, and follows the run where one is named. */
  open(sessionId: string, runId?: string): Promise<void> {
    this.close();
    return this.opening.open(sessionId, runId);
  }

  /** Deletes a session at the server. */
  async remove(sessionId: string): Promise<void> {
    try {
      await this.api.removeSession(sessionId);
    } catch (error) {
      if (!isStatus(error, 404)) {
        this.store.update({ problem: problemOf(error, this.store.state.texts) });
        return;
      }
    }
    if (this.store.state.sessionId === sessionId) this.opening.reset();
    this.changed(sessionId);
  }

  private async listAnew(removed: string | undefined): Promise<void> {
    const { sessions: listed } = this.store.state;
    if (typeof listed !== 'object') return;
    this.store.update({ sessions: listed.filter(({ sessionId }) => sessionId !== removed) });
    const look = (this.looks += 1);
    // Nobody asked for it: the list stays as it is where the server does not answer.
    const page = await this.page(0).catch(() => undefined);
    const { sessions } = this.store.state;
    // An older answer may still list a deleted session.
    if (page && typeof sessions === 'object' && look === this.looks) {
      this.store.update({ sessions: merged(page.sessions, sessions) });
    }
  }

  private async page(offset: number) {
    const sessions = await this.api.sessions(PAGE, offset);
    return { sessions, hasMoreSessions: sessions.length === PAGE };
  }
}

/** The first ones, and of the others those that are not among them. */
function merged(
  first: readonly SessionSummary[],
  others: readonly SessionSummary[],
): readonly SessionSummary[] {
  const known = new Set(first.map(({ sessionId }) => sessionId));
  return [...first, ...others.filter(({ sessionId }) => !known.has(sessionId))];
}
