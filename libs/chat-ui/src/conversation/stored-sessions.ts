import type { ChatStore } from '../state/store';
import type { AgentApi } from '../wire/agent-api';
import { problemOf } from './problem-of';

/** The user's sessions at the server, as the panel lists them. */
export class StoredSessions {
  constructor(
    private readonly api: AgentApi,
    private readonly store: ChatStore,
  ) {}

  async list(): Promise<void> {
    this.store.update({ sessions: 'loading' });
    const listed = await this.api.sessions().then(
      (sessions) => ({ sessions }),
      (error: unknown) => ({ sessions: undefined, problem: problemOf(error) }),
    );
    // Who closed the list meanwhile does something else by now.
    if (this.store.state.sessions === 'loading') this.store.update(listed);
  }

  close(): void {
    this.store.update({ sessions: undefined });
  }

  /** Answers whether it is gone. */
  async remove(sessionId: string): Promise<boolean> {
    try {
      await this.api.removeSession(sessionId);
    } catch (error) {
      this.store.update({ problem: problemOf(error) });
      return false;
    }
    this.store.update(({ sessions }) =>
      typeof sessions === 'object'
        ? { sessions: sessions.filter((each) => each.sessionId !== sessionId) }
        : {},
    );
    return true;
  }
}
