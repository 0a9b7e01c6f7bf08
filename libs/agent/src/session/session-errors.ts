import { AgentError } from '../tool';

/** The session is unknown, expired, or another principal's; `code` is `session_not_found`. */
export class SessionNotFoundError extends AgentError {
  /** For stores. */
  constructor() {
    super('session_not_found', 'There is no such session.');
  }
}

/** A store was asked to create a session twice; `code` is `session_exists`. */
export class SessionExistsError extends AgentError {
  /** For stores. */
  constructor() {
    super('session_exists', 'A session with this id exists already.');
  }
}

/** Another run has the session; one at a time may write to it. `code` is `session_busy`. */
export class SessionBusyError extends AgentError {
  /** @internal */
  constructor() {
    super('session_busy', 'This session is busy with another message. Try again when it is done.');
  }
}

/** Another writer appended since the session was read; `code` is `version_conflict`. */
export class VersionConflictError extends AgentError {
  /** For stores. */
  constructor() {
    super('version_conflict', 'The session changed since it was read.');
  }
}

/**
 * The lease expired or was taken over: this writer may not write any more. `code` is `lease_lost`.
 */
export class LeaseLostError extends AgentError {
  /** For stores. */
  constructor() {
    super('lease_lost', 'The right to write to this session was lost.');
  }
}

/** The store itself failed: out of reach, or refusing. The message holds no driver's text. */
export class SessionStoreError extends AgentError {
  /**
   * For stores.
   *
   * @param code `store_unavailable` where trying again may help
   * @param message safe to log and to show
   */
  constructor(
    /** `store_unavailable`: out of reach; `store_failed`: it refused. */
    override readonly code: 'store_unavailable' | 'store_failed',
    message: string,
  ) {
    super(code, message);
  }
}

/**
 * A newer release of the library has written to the session what this one cannot read: only that
 * session is refused. `code` is `session_newer`.
 */
export class NewerSessionError extends AgentError {
  /** @internal */
  constructor() {
    super(
      'session_newer',
      'A newer release of nestjs-agent wrote to this session, and this process cannot read it. Update nestjs-agent here as well.',
    );
  }
}

/** The caller has too many runs at once, in all processes together; `code` is `too_many_runs`. */
export class TooManyRunsError extends AgentError {
  /** Milliseconds to wait before a retry. */
  readonly retryAfterMs = 5_000;

  /**
   * For stores.
   *
   * @param limit how many are allowed
   */
  constructor(limit: number) {
    super(
      'too_many_runs',
      `At most ${limit} runs at a time are allowed for one caller. Wait for one to end.`,
    );
  }
}
