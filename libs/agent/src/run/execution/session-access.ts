import {
  type NewSession,
  SessionNotFoundError,
  type RunRecord,
  type SessionRecord,
  type SessionStore,
} from '../../session';
import { defined } from '../../internal';
import { newSessionId, RunNotFoundError, type RunOptions } from '../request';

/** The caller's claim to a session: its principal, or the id of an anonymous session. */
export interface SessionClaim {
  /** The logged-in user's id; missing for anonymous callers. */
  readonly principal?: string;
  /** The session's id, for anonymous sessions. */
  readonly sessionId?: string;
}

/** Finds a caller's sessions with one agent. Sessions of others are not found. */
export class SessionAccess {
  constructor(
    private readonly store: SessionStore,
    private readonly options: RunOptions,
  ) {}

  /** The further agent whose sessions these are; `undefined` for the application's own. */
  get agent(): string | undefined {
    return this.options.agent;
  }

  /** A session to create. */
  newSession(principal: string | undefined, id = newSessionId()): NewSession {
    return { id, ...defined({ owner: principal, agent: this.agent }) };
  }

  /** @throws SessionExistsError if the id is taken */
  create(principal: string | undefined, id?: string): Promise<SessionRecord> {
    return this.store.create(this.newSession(principal, id));
  }

  /** Removes a session whose id no client knows. Never rejects: a remaining session expires. */
  async discard({ id }: Pick<SessionRecord, 'id'>): Promise<void> {
    await this.store.delete(id).catch(() => undefined);
  }

  /** @throws SessionNotFoundError if this principal has no such session */
  async find(sessionId: string, principal: string | undefined): Promise<SessionRecord> {
    const record = await this.store.find(sessionId);
    // An anonymous session is never adopted by a later login.
    if (!this.isOwn(record) || record.owner !== principal) throw new SessionNotFoundError();
    return record;
  }

  /** @throws RunNotFoundError if the claim does not include the run's session */
  async findByRun(runId: string, claim: SessionClaim): Promise<RunRecord> {
    const record = await this.store.findByRun(runId);
    if (!this.isOwn(record) || record.owner !== claim.principal) throw new RunNotFoundError();
    if (record.owner === undefined && record.id !== claim.sessionId) throw new RunNotFoundError();
    return record;
  }

  /** Hides sessions of other agents and sessions of asked agents. */
  private isOwn<Found extends SessionRecord>(record: Found | undefined): record is Found {
    return record !== undefined && record.agent === this.agent && record.parent === undefined;
  }
}
