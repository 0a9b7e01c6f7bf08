import { Inject, Injectable } from '@nestjs/common';
import {
  SessionNotFoundError,
  type RunRecord,
  type SessionRecord,
  type SessionStore,
} from '../../session';
import { newSessionId, RUN_STORE } from '../request';

/** Who asks for a session: a principal, or whoever knows the id of one that belongs to nobody. */
export interface SessionClaim {
  /** The logged-in user's id; missing for anonymous callers. */
  readonly principal?: string;
  /** The session's id, for one that belongs to nobody. */
  readonly sessionId?: string;
}

/** Finds sessions for those they belong to. To everybody else there is no such session. */
@Injectable()
export class SessionAccess {
  constructor(@Inject(RUN_STORE) private readonly store: SessionStore) {}

  create(principal: string | undefined): Promise<SessionRecord> {
    return this.store.create({
      id: newSessionId(),
      ...(principal !== undefined && { owner: principal }),
    });
  }

  /** Removes a session that nobody was told of. Never rejects: what is left expires. */
  async discard({ id }: SessionRecord): Promise<void> {
    await this.store.delete(id).catch(() => undefined);
  }

  /** @throws SessionNotFoundError where there is none, or it is somebody else's */
  async find(sessionId: string, principal: string | undefined): Promise<SessionRecord> {
    const record = await this.store.find(sessionId);
    // A session of nobody's is never adopted by who logs in later.
    if (record === undefined || record.owner !== principal) throw new SessionNotFoundError();
    return record;
  }

  /** The session of a run, or `undefined` where this claim does not reach it. */
  async findByRun(runId: string, claim: SessionClaim): Promise<RunRecord | undefined> {
    const record = await this.store.findByRun(runId);
    if (record === undefined || record.owner !== claim.principal) return undefined;
    return record.owner !== undefined || record.id === claim.sessionId ? record : undefined;
  }
}
