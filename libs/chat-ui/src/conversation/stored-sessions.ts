import type { ChatStore } from '../state/store';
import type { AgentApi } from '../wire/agent-api';
import { problemOf } from './problem-of';

export interface StoredSessionsOptions {
  readonly api: AgentApi;
  readonly store: ChatStore;
  readonly onRefused: (error: unknown) => void;
}

/** The user's sessions at the server, as the panel lists them. */
export class StoredSessions {
  constructor(private readonly options: StoredSessionsOptions) {}

  async list(): Promise<void> {
    const { api, store, onRefused } = this.options;
    store.update({ sessions: 'loading' });
    try {
      store.update({ sessions: await api.sessions() });
    } catch (error) {
      onRefused(error);
      store.update({ sessions: undefined, problem: problemOf(error) });
    }
  }

  close(): void {
    this.options.store.update({ sessions: undefined });
  }

  /** Answers whether it is gone. */
  async remove(sessionId: string): Promise<boolean> {
    const { api, store, onRefused } = this.options;
    try {
      await api.removeSession(sessionId);
    } catch (error) {
      onRefused(error);
      store.update({ problem: problemOf(error) });
      return false;
    }
    store.update(({ sessions }) =>
      typeof sessions === 'object'
        ? { sessions: sessions.filter((each) => each.sessionId !== sessionId) }
        : {},
    );
    return true;
  }
}
