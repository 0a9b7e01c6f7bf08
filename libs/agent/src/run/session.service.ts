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
  /** The session's id. */
  readonly sessionId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly lastUsedAt: string;
  /** The names of the tools that its owner allowed for its rest. */
  readonly permissions: readonly string[];
  /** The beginning of what its owner said first, as far as that is kept. */
  readonly title?: string;
  /** Its last run. */
  readonly run?: {
    /** Its id. */
    readonly runId: string;
    /** Where it stands. */
    readonly status: RunStatus;
  };
}

const TITLE_CHARS = 80;

/**
 * Lists, reads and removes sessions.
 *
 * @example
 * \@Injectable()
 * export class AccountService {
 *   constructor(private readonly sessions: SessionService) {}
 *
 *   async close(principal: string): Promise<void> {
 *     await this.sessions.clearAll(principal);
 *   }
 * }
 */
@Injectable()
export class SessionService {
  /** @internal */
  constructor(
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    @Inject(SESSION_STORE) private readonly store: SessionStore,
    private readonly sessions: SessionAccess,
    private readonly writer: SessionWriter,
    private readonly active: ActiveRuns,
    private readonly executor: ToolExecutor,
  ) {}

  /**
   * The principal's sessions, the last used first; none for nobody.
   *
   * @param principal who is logged in; `undefined` for nobody
   * @param page all of them by default
   */
  async list(
    principal: string | undefined,
    page: {
      /** How many at most; all by default. */
      readonly limit?: number;
      /** How many to pass over; 0 by default. */
      readonly offset?: number;
    } = {},
  ): Promise<readonly SessionSummary[]> {
    if (principal === undefined) return [];
    const records = await this.store.list(principal, page);
    return Promise.all(records.map((record) => this.summaryOf(record)));
  }

  /**
   * Every message of a session, what a summary replaced included as far as it is kept.
   *
   * @param sessionId the session
   * @param principal who is logged in; `undefined` for nobody
   * @throws SessionNotFoundError for a session that is unknown or somebody else's
   */
  async messages(sessionId: string, principal: string | undefined): Promise<readonly Message[]> {
    const record = await this.sessions.find(sessionId, principal);
    const stored = await this.store.read(record.id);
    return transcriptOf(stored.map(({ entry }) => entry));
  }

  /**
   * Removes a session and all that belongs to it; its run is cancelled.
   *
   * @param sessionId the session
   * @param principal who is logged in; `undefined` for nobody
   * @throws SessionNotFoundError for a session that is unknown or somebody else's
   */
  async clear(sessionId: string, principal: string | undefined): Promise<void> {
    const record = await this.sessions.find(sessionId, principal);
    await this.remove(record.id);
  }

  /**
   * Removes a principal's sessions and cancels their runs.
   *
   * @param principal whose; everybody's by default
   * @returns how many sessions were removed
   */
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

  /**
   * How many sessions a principal has.
   *
   * @param principal whose; everybody's together by default
   */
  count(principal?: string): Promise<number> {
    return this.store.count(principal);
  }

  /** Removes sessions that nobody used for `sessions.expireAfterMs`; answers their ids. */
  async cleanupExpired(): Promise<readonly string[]> {
    const { expireAfterMs } = this.options;
    if (expireAfterMs === false) return [];
    const removed = await this.store.deleteIdle(new Date(Date.now() - expireAfterMs));
    for (const sessionId of removed) this.forget(sessionId);
    return removed;
  }

  /**
   * Takes back a permission that was remembered for the session.
   *
   * @param sessionId the session
   * @param tool the tool's name
   * @param principal who is logged in; `undefined` for nobody
   * @throws SessionNotFoundError for a session that is unknown or somebody else's
   * @throws SessionBusyError while a run has it
   */
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
