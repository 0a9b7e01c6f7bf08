import { Inject, Injectable } from '@nestjs/common';
import { ToolCatalog, ToolExecutor } from '../../invocation';
import type { RunStatus } from '../../message';
import {
  transcriptOf,
  type SessionRecord,
  type SessionStore,
  type TranscriptMessage,
} from '../../session';
import {
  ActiveRuns,
  Elsewhere,
  Rewinding,
  RunLookup,
  SessionAccess,
  type SessionClaim,
  SessionWriter,
} from '../lifecycle';
import {
  type ChatResult,
  RUN_OPTIONS,
  RUN_STORE,
  type RunOptions,
  shownMessages,
  toolsOf,
} from '../request';
import { FoldedSessions } from '../record';

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

/** A session as its owner sees it, with what its last run waits for. */
export interface SessionDetail extends Omit<SessionSummary, 'run'> {
  /** Its last run; missing where there was none. */
  readonly run?: Pick<ChatResult, 'runId' | 'status' | 'pendingActions'>;
}

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
    @Inject(RUN_STORE) private readonly store: SessionStore,
    private readonly sessions: SessionAccess,
    private readonly writer: SessionWriter,
    private readonly active: ActiveRuns,
    private readonly executor: ToolExecutor,
    private readonly catalog: ToolCatalog,
    private readonly folded: FoldedSessions,
    private readonly elsewhere: Elsewhere,
    private readonly lookup: RunLookup,
    private readonly rewinding: Rewinding,
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
    return records.map(summaryOf);
  }

  /**
   * One session, with its last run and what that waits for.
   *
   * @param sessionId the session
   * @param claim who asks; nobody by default
   * @throws SessionNotFoundError for a session that is unknown or somebody else's
   * @example
   * async function isWaiting(sessions: SessionService, id: string): Promise<boolean> {
   *   const { run } = await sessions.get(id, { principal: 'alice' });
   *   return run?.status === 'requires_action';
   * }
   */
  async get(sessionId: string, claim: SessionClaim = {}): Promise<SessionDetail> {
    const record = await this.sessions.find(sessionId, claim.principal);
    const { run, ...summary } = summaryOf(record);
    if (run === undefined) return summary;
    const found = await this.lookup.find(run.runId, { ...claim, sessionId });
    const { runId, status, pendingActions } = found;
    return { ...summary, run: { runId, status, pendingActions } };
  }

  /**
   * Every message of a session that was not taken back, what a summary replaced included as far as it
   * is kept.
   *
   * @param sessionId the session
   * @param claim who asks; nobody by default
   * @throws SessionNotFoundError for a session that is unknown or somebody else's
   * @example
   * async function questions(sessions: SessionService, id: string): Promise<readonly string[]> {
   *   const transcript = await sessions.transcript(id, { principal: 'alice' });
   *   return transcript.filter(({ role }) => role === 'user').map((message) => textOf(message));
   * }
   */
  async transcript(
    sessionId: string,
    claim: SessionClaim = {},
  ): Promise<readonly TranscriptMessage[]> {
    const record = await this.sessions.find(sessionId, claim.principal);
    const stored = await this.store.read(record.id);
    return shownMessages(transcriptOf(stored), toolsOf(this.catalog));
  }

  /**
   * Takes back a run and all that was said since: the conversation goes on from before it. What its
   * tools did is done. A run that waits is cancelled first.
   *
   * @param sessionId the session
   * @param to the run before which the conversation goes on
   * @param claim who asks; nobody by default
   * @throws SessionNotFoundError for a session that is unknown or somebody else's
   * @throws RunNotFoundError for a run of another session
   * @throws RunNotReplaceableError where a summary stands for the run, or it was taken back before
   * @throws SessionBusyError while a run is under way
   * @example
   * async function forget(sessions: SessionService, { sessionId, runId }: ChatResult): Promise<void> {
   *   await sessions.rewind(sessionId, { beforeRun: runId }, { principal: 'alice' });
   * }
   */
  async rewind(
    sessionId: string,
    to: {
      /** A run's id. */
      readonly beforeRun: string;
    },
    claim: SessionClaim = {},
  ): Promise<void> {
    const record = await this.sessions.find(sessionId, claim.principal);
    await this.rewinding.rewind(record, to.beforeRun, claim);
  }

  /**
   * Removes a session and all that belongs to it; its run is cancelled.
   *
   * @param sessionId the session
   * @param principal who is logged in; `undefined` for nobody
   * @throws SessionNotFoundError for a session that is unknown or somebody else's
   */
  async clear(sessionId: string, principal: string | undefined): Promise<void> {
    await this.remove(await this.sessions.find(sessionId, principal));
  }

  /**
   * Removes a principal's sessions and cancels their runs, those of other processes included.
   *
   * @param principal whose; everybody's by default, and then other processes' runs break off
   * @returns how many sessions were removed
   */
  async clearAll(principal?: string): Promise<number> {
    const live = this.active
      .all()
      .filter((run) => principal === undefined || run.principal === principal);
    for (const run of live) run.cancel();
    await Promise.all(live.map((run) => run.finished));
    const records = principal === undefined ? [] : await this.store.list(principal);
    await Promise.all(records.map((record) => this.elsewhere.stopRunOf(record)));
    const count = await this.store.deleteAll(principal);
    this.folded.forgetAll(principal);
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
      await journal.close([{ type: 'permission.revoked', tool }], () => Promise.resolve());
    } finally {
      await journal.release().catch(() => undefined);
    }
  }

  private async remove(record: SessionRecord): Promise<void> {
    const live = this.active.ofSession(record.id);
    live?.cancel();
    await live?.finished;
    if (live === undefined) await this.elsewhere.stopRunOf(record);
    await this.store.delete(record.id);
    this.forget(record.id);
  }

  private forget(sessionId: string): void {
    this.executor.forget(sessionId);
    this.folded.forget(sessionId);
  }
}

function summaryOf(record: SessionRecord): SessionSummary {
  const { id, createdAt, lastUsedAt, headline } = record;
  const status = runStatusOf(record);
  return {
    sessionId: id,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    permissions: headline?.permissions ?? [],
    ...(headline?.title !== undefined && { title: headline.title }),
    ...(headline?.run && status && { run: { runId: headline.run.runId, status } }),
  };
}

/** A run that its writer left open is over where nobody holds the session any more. */
function runStatusOf({ headline, isHeld }: SessionRecord): RunStatus | undefined {
  const status = headline?.run?.status;
  return status === 'running' && !isHeld ? 'failed' : status;
}
