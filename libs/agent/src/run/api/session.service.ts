import type { ToolCatalog, ToolExecutor } from '../../invocation';
import type { RunStatus } from '../../message';
import {
  shownInputsIn,
  transcriptOf,
  type SessionRecord,
  type SessionStore,
  type TranscriptMessage,
} from '../../session';
import type { ActiveRuns, SessionAccess, SessionClaim, SessionWriter } from '../execution';
import type { Elsewhere, RunLookup } from '../lookup';
import type { Rewinding } from '../lifecycle';
import { type ChatResult, type RunOptions, shownMessages, toolsOf } from '../request';
import type { FoldedSessions } from '../record';

/** A session in a list. */
export interface SessionSummary {
  /** The session's id. */
  readonly sessionId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly lastUsedAt: string;
  /** The names of the tools allowed for the rest of the session. */
  readonly permissions: readonly string[];
  /** The start of the first user message, if it is still stored. */
  readonly title?: string;
  /** Its last run. */
  readonly run?: {
    /** The run's id. */
    readonly runId: string;
    /** The run's status. */
    readonly status: RunStatus;
  };
}

/** A session with the pending actions of its last run. */
export interface SessionDetail extends Omit<SessionSummary, 'run'> {
  /** Its last run; missing if there was none. */
  readonly run?: Pick<ChatResult, 'runId' | 'status' | 'pendingActions'>;
}

/**
 * Lists, reads and removes the sessions of one agent.
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
export class SessionService {
  /** @internal */
  constructor(
    private readonly options: RunOptions,
    private readonly store: SessionStore,
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
   * Creates an empty session, for protocols whose clients need its id before their first message.
   *
   * @param owner the logged-in user, and an id of your own; anonymous, with a generated id, by default
   * @throws SessionExistsError if any session has this id
   * @example
   * async function begin(sessions: SessionService): Promise<string> {
   *   const { sessionId } = await sessions.create({ principal: 'alice' });
   *   return sessionId;
   * }
   */
  async create(owner: SessionClaim = {}): Promise<SessionDetail> {
    const created = await this.sessions.create(owner.principal, owner.sessionId);
    const { sessionId, createdAt, lastUsedAt, permissions } = summaryOf(created);
    return { sessionId, createdAt, lastUsedAt, permissions };
  }

  /**
   * The principal's sessions, the last used first; none for anonymous callers.
   *
   * @param principal the logged-in user; `undefined` for anonymous callers
   * @param page all sessions by default
   */
  async list(
    principal: string | undefined,
    page: {
      /** The maximum number; all by default. */
      readonly limit?: number;
      /** The number to skip; 0 by default. */
      readonly offset?: number;
    } = {},
  ): Promise<readonly SessionSummary[]> {
    if (principal === undefined) return [];
    const records = await this.store.list(principal, { ...page, ...this.ofAgent });
    return records.map(summaryOf);
  }

  /**
   * One session with its last run and the pending actions.
   *
   * @param sessionId the session
   * @param claim the caller; anonymous by default
   * @throws SessionNotFoundError if this caller has no such session
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
   * The messages of a session, without rewound ones; including summarized ones that are still
   * stored.
   *
   * @param sessionId the session
   * @param claim the caller; anonymous by default
   * @throws SessionNotFoundError if this caller has no such session
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
    return this.messagesOf(await this.sessions.find(sessionId, claim.principal));
  }

  /**
   * As `transcript`, from a run on: none if it was rewound. Reads no entries before the run.
   *
   * @internal
   */
  async transcriptFrom(runId: string, claim: SessionClaim): Promise<readonly TranscriptMessage[]> {
    const record = await this.sessions.findByRun(runId, claim);
    return this.messagesOf(record, record.runStart);
  }

  /**
   * Removes a run and all later messages from the conversation. Effects of its tools remain. A
   * waiting run is cancelled first.
   *
   * @param sessionId the session
   * @param to the run to rewind to
   * @param claim the caller; anonymous by default
   * @throws SessionNotFoundError if this caller has no such session
   * @throws RunNotFoundError for a run of another session
   * @throws RunNotReplaceableError if compaction has summarized the run, or it was rewound before
   * @throws SessionBusyError while a run is active
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
   * Cancels a session's run and removes the session.
   *
   * @param sessionId the session
   * @param principal the logged-in user; `undefined` for anonymous callers
   * @throws SessionNotFoundError if this caller has no such session
   */
  async clear(sessionId: string, principal: string | undefined): Promise<void> {
    await this.remove(await this.sessions.find(sessionId, principal));
  }

  /**
   * Cancels a principal's runs in all processes and removes the sessions.
   *
   * @param principal the owner; by default all sessions, and runs of other processes then fail
   * @returns the number of removed sessions
   */
  async clearAll(principal?: string): Promise<number> {
    const { agent } = this.options;
    const stopped = await this.active.cancelAll(
      (run) => run.agent === agent && (principal === undefined || run.principal === principal),
    );
    const records = principal === undefined ? [] : await this.store.list(principal, this.ofAgent);
    await Promise.all(records.map((record) => this.elsewhere.stopRunOf(record)));
    const count = await this.store.deleteAll(principal, this.ofAgent);
    this.folded.forgetAll(principal);
    for (const { sessionId } of stopped) this.forget(sessionId);
    return count;
  }

  /**
   * The number of a principal's sessions.
   *
   * @param principal the owner; all sessions by default
   */
  count(principal?: string): Promise<number> {
    return this.store.count(principal, this.ofAgent);
  }

  /** Removes sessions unused for `sessions.expireAfterMs`; returns their ids. */
  async cleanupExpired(): Promise<readonly string[]> {
    const { expireAfterMs } = this.options;
    if (expireAfterMs === false) return [];
    const removed = await this.store.deleteIdle(new Date(Date.now() - expireAfterMs));
    for (const sessionId of removed) this.forget(sessionId);
    return removed;
  }

  /**
   * Revokes a permission that was remembered for the session.
   *
   * @param sessionId the session
   * @param tool the tool's name
   * @param principal the logged-in user; `undefined` for anonymous callers
   * @throws SessionNotFoundError if this caller has no such session
   * @throws SessionBusyError while a run is active
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

  private get ofAgent(): { readonly agent: string | null } {
    return { agent: this.options.agent ?? null };
  }

  private async messagesOf(
    { id }: SessionRecord,
    from?: number,
  ): Promise<readonly TranscriptMessage[]> {
    const stored = await this.store.read(id, from);
    return shownMessages(transcriptOf(stored), toolsOf(this.catalog), shownInputsIn(stored));
  }

  private async remove(record: SessionRecord): Promise<void> {
    const stopped = await this.active.cancelAll((run) => run.sessionId === record.id);
    if (stopped.length === 0) await this.elsewhere.stopRunOf(record);
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

/** An open run without a lease belongs to a dead process and counts as failed. */
function runStatusOf({ headline, isHeld }: SessionRecord): RunStatus | undefined {
  const { status, isQueued = false } = headline?.run ?? {};
  return status === 'running' && !isHeld && !isQueued ? 'failed' : status;
}
