import { createHash } from 'node:crypto';
import type { RunOptions, SessionDetail, SessionService } from '../../run';
import { SessionExistsError, SessionNotFoundError } from '../../session';
import { invalidRequest } from '../body';
import { isId } from '../caller';

/** The session of a front-end's conversation, with its last run. */
export type Thread = Pick<SessionDetail, 'sessionId' | 'run'>;

const MAX_ID = 256;

/**
 * Finds the session behind a front-end's own id of a conversation, which several users may have in
 * common ("main", say). It is the caller's session of that very id or, for a logged-in user, one
 * whose id derives from both. Anonymous callers have only ids that the server issued: two visitors
 * must not share "main".
 */
export class ClientThreads {
  constructor(
    private readonly sessions: SessionService,
    private readonly options: Pick<RunOptions, 'agent'>,
  ) {}

  /**
   * The caller's session of this name.
   *
   * @param id the client's id of the conversation, 1 to 256 characters
   * @param principal the logged-in user; `undefined` for anonymous callers
   * @returns `undefined` if this caller has none
   * @throws HttpException 400 for anything but such an id
   */
  async find(id: unknown, principal: string | undefined): Promise<Thread | undefined> {
    const name = checkedId(id);
    const own = isId(name) ? await this.sessionOf(name, principal) : undefined;
    if (own !== undefined || principal === undefined) return own;
    return this.sessionOf(this.derivedId(principal, name), principal);
  }

  /** As `find`. @throws SessionNotFoundError if this caller has none */
  async get(id: unknown, principal: string | undefined): Promise<Thread> {
    const thread = await this.find(id, principal);
    if (thread === undefined) throw new SessionNotFoundError();
    return thread;
  }

  /**
   * A session for a conversation that has none. For a logged-in user the same id leads to it again;
   * anonymous callers must receive its id.
   *
   * @throws HttpException 400 for anything but an id
   */
  async begin(id: unknown, principal: string | undefined): Promise<Thread> {
    const name = checkedId(id);
    if (principal === undefined) return this.sessions.create();
    const sessionId = this.derivedId(principal, name);
    try {
      return await this.sessions.create({ principal, sessionId });
    } catch (error) {
      if (!(error instanceof SessionExistsError)) throw error;
      // Another tab was faster.
      return this.sessions.get(sessionId, { principal });
    }
  }

  /** Every agent has its own conversation of a name. */
  private derivedId(principal: string, id: string): string {
    const { agent } = this.options;
    const named =
      agent === undefined ? `${principal}\0${id}` : JSON.stringify([principal, id, agent]);
    return `ses_${createHash('sha256').update(named).digest('base64url')}`;
  }

  private async sessionOf(
    sessionId: string,
    principal: string | undefined,
  ): Promise<Thread | undefined> {
    try {
      return await this.sessions.get(sessionId, {
        sessionId,
        ...(principal !== undefined && { principal }),
      });
    } catch (error) {
      if (error instanceof SessionNotFoundError) return undefined;
      throw error;
    }
  }
}

function checkedId(id: unknown): string {
  if (typeof id === 'string' && id.length >= 1 && id.length <= MAX_ID) return id;
  throw invalidRequest([`The id of the conversation must have 1 to ${MAX_ID} characters.`]);
}
