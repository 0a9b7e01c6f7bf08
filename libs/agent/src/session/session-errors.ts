import { AgentError } from '../tool';

/** The session is unknown, expired, or another principal's; `code` is `session_not_found`. */
export class SessionNotFoundError extends AgentError {
  /** For stores. */
  constructor() {
    super('session_not_found', 'There is no such session.');
  }
}

/** The session id is taken; `code` is `session_exists`. */
export class SessionExistsError extends AgentError {
  /** For stores. */
  constructor() {
    super('session_exists', 'A session with this id exists already.');
  }
}

/** Another run writes to the session; only one may at a time. `code` is `session_busy`. */
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
 * The lease expired or was taken over: this writer may no longer write. `code` is `lease_lost`.
 */
export class LeaseLostError extends AgentError {
  /** For stores. */
  constructor() {
    super('lease_lost', 'The right to write to this session was lost.');
  }
}

/** The store failed or is unavailable. The message contains no text of the driver. */
export class SessionStoreError extends AgentError {
  /**
   * For stores.
   *
   * @param code `store_unavailable` if a retry may help
   * @param message safe to log and to show
   */
  constructor(
    /** `store_unavailable`: it cannot be reached; `store_failed`: it refused. */
    override readonly code: 'store_unavailable' | 'store_failed',
    message: string,
  ) {
    super(code, message);
  }
}

/**
 * A newer release of the library wrote to the session, and this one cannot read it. Only that session
 * is refused. `code` is `session_newer`.
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

/** The caller has too many active runs, counted in all processes; `code` is `too_many_runs`. */
export class TooManyRunsError extends AgentError {
  /** Milliseconds to wait before a retry. */
  readonly retryAfterMs = 5_000;

  /**
   * For stores.
   *
   * @param limit the maximum of runs
   */
  constructor(limit: number) {
    super(
      'too_many_runs',
      `At most ${limit} runs at a time are allowed for one caller. Wait for one to end.`,
    );
  }
}
