import type { ChatStore } from '../state';
import type { AgentApi } from '../wire';
import type { Opening } from './opening';
import { problemOf } from './problem-of';

const PAGE = 50;

/** The user's sessions at the server, as the panel lists them. */
export class StoredSessions {
  private isAsking = false;

  constructor(
    private readonly api: AgentApi,
    private readonly store: ChatStore,
    private readonly opening: Opening,
  ) {}

  async list(): Promise<void> {
    this.store.update({ sessions: 'loading', hasMoreSessions: false });
    const listed = await this.page(0).catch((error: unknown) => ({
      sessions: undefined,
      problem: problemOf(error, this.store.state.texts),
    }));
    // A list that was closed meanwhile stays closed.
    if (this.store.state.sessions === 'loading') this.store.update(listed);
  }

  /** Those behind the ones that are listed. */
  async listMore(): Promise<void> {
    const { sessions: listed } = this.store.state;
    if (typeof listed !== 'object' || this.isAsking) return;
    this.isAsking = true;
    try {
      const page = await this.page(listed.length);
      const { sessions } = this.store.state;
      if (typeof sessions !== 'object') return;
      // A session that was used meanwhile has pushed others behind it.
      const known = new Set(sessions.map(({ sessionId }) => sessionId));
      const added = page.sessions.filter(({ sessionId }) => !known.has(sessionId));
      this.store.update({ ...page, sessions: [...sessions, ...added] });
    } catch (error) {
      this.store.update({ problem: problemOf(error, this.store.state.texts) });
    } finally {
      this.isAsking = false;
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
      this.store.update({ problem: problemOf(error, this.store.state.texts) });
      return;
    }
    const { sessions, sessionId: current } = this.store.state;
    if (typeof sessions === 'object') {
      this.store.update({ sessions: sessions.filter((each) => each.sessionId !== sessionId) });
    }
    if (current === sessionId) this.opening.reset();
  }

  private async page(offset: number) {
    const sessions = await this.api.sessions(PAGE, offset);
    return { sessions, hasMoreSessions: sessions.length === PAGE };
  }
}
