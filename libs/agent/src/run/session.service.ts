import { Inject, Injectable } from '@nestjs/common';
import { ToolExecutor } from '../invocation';
import { textOf, type Message, type RunStatus } from '../message';
import {
  SESSION_STORE,
  transcriptOf,
  type SessionRecord,
  type SessionState,
  type SessionStore,
} from '../session';
import { ActiveRuns } from './active-runs';
import { RUN_OPTIONS } from './run.constants';
import type { RunOptions } from './run-options';
import { SessionAccess } from './session-access';
import { SessionWriter } from './session-writer';

/** A session as its owner sees it in a list. */
export interface SessionSummary {
  readonly sessionId: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  /** The tools that its owner allowed for its rest. */
  readonly permissions: readonly string[];
  /** The beginning of what its owner said first, as far as that is kept. */
  readonly title?: string;
  /** Its last run. */
  readonly run?: { readonly runId: string; readonly status: RunStatus };
}

const TITLE_CHARS = 80;

/** Lists, reads and removes sessions. */
@Injectable()
export class SessionService {
  constructor(
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    @Inject(SESSION_STORE) private readonly store: SessionStore,
    private readonly sessions: SessionAccess,
    private readonly writer: SessionWriter,
    private readonly active: ActiveRuns,
    private readonly executor: ToolExecutor,
  ) {}

  /** The principal's sessions, the last used first; none for nobody. */
  async list(
    principal: string | undefined,
    page: { readonly limit?: number; readonly offset?: number } = {},
  ): Promise<readonly SessionSummary[]> {
    if (principal === undefined) return [];
    const records = await this.store.list(principal, page);
    return Promise.all(records.map((record) => this.summaryOf(record)));
  }

  /** Every message of a session. @throws SessionNotFoundError */
  async messages(sessionId: string, principal: string | undefined): Promise<readonly Message[]> {
    const record = await this.sessions.find(sessionId, principal);
    const stored = await this.store.read(record.id);
    return transcriptOf(stored.map(({ entry }) => entry));
  }

  /** Removes a session and all that belongs to it; its run is cancelled. @throws SessionNotFoundError */
  async clear(sessionId: string, principal: string | undefined): Promise<void> {
    const record = await this.sessions.find(sessionId, principal);
    await this.remove(record.id);
  }

  /** Removes a principal's sessions, or everybody's; answers how many. */
  async clearAll(principal?: string): Promise<number> {
    const live = this.active
      .all()
      .filter((run) => principal === undefined || run.principal === principal);
    for (const run of live) run.cancel();
    await Promise.all(live.map((run) => run.finished));
    const count = await this.store.deleteAll(principal);
    for (const run of live) this.forget(run.sessionId);
    return count;
  }

  count(principal?: string): Promise<number> {
    return this.store.count(principal);
  }

  /** Removes sessions that nobody used for the time that the options set; answers their ids. */
  async cleanupExpired(): Promise<readonly string[]> {
    const { expireAfterMs } = this.options;
    if (expireAfterMs === false) return [];
    const removed = await this.store.deleteIdle(new Date(Date.now() - expireAfterMs));
    for (const sessionId of removed) this.forget(sessionId);
    return removed;
  }

  /** Takes back a permission that was remembered for the session. @throws SessionNotFoundError SessionBusyError */
  async revoke(sessionId: string, tool: string, principal: string | undefined): Promise<void> {
    const record = await this.sessions.find(sessionId, principal);
    const journal = await this.writer.take(record);
    try {
      await journal.append({ type: 'permission.revoked', tool });
    } finally {
      await this.writer.giveBack(journal.lease);
    }
  }

  private async remove(sessionId: string): Promise<void> {
    const live = this.active.ofSession(sessionId);
    live?.cancel();
    await live?.finished;
    await this.store.delete(sessionId);
    this.forget(sessionId);
  }

  private forget(sessionId: string): void {
    this.active.forget(sessionId);
    this.executor.forget(sessionId);
  }

  private async summaryOf(record: SessionRecord): Promise<SessionSummary> {
    const state = await this.sessions.stateOf(record);
    const title = titleOf(state);
    const { run } = state;
    return {
      sessionId: record.id,
      createdAt: record.createdAt.toISOString(),
      lastUsedAt: record.lastUsedAt.toISOString(),
      permissions: state.rememberedTools,
      ...(title !== '' && { title }),
      ...(run && { run: { runId: run.runId, status: run.status } }),
    };
  }
}

function titleOf({ messages }: SessionState): string {
  const first = messages.find((message) => message.role === 'user' && textOf(message) !== '');
  const line = first === undefined ? '' : textOf(first).replace(/\s+/g, ' ').trim();
  return line.length <= TITLE_CHARS ? line : `${line.slice(0, TITLE_CHARS - 1).trimEnd()}…`;
}
