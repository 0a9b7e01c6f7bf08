import { AgentError } from '../tool';

/** The session is unknown, expired, or somebody else's. */
export class SessionNotFoundError extends AgentError {
  constructor() {
    super('session_not_found', 'There is no such session.');
  }
}

/** A store was asked to create a session twice. */
export class SessionExistsError extends AgentError {
  constructor() {
    super('session_exists', 'A session with this id exists already.');
  }
}

/** Another run has the session; one at a time may write to it. */
export class SessionBusyError extends AgentError {
  constructor() {
    super('session_busy', 'This session is busy with another message. Try again when it is done.');
  }
}

/** Somebody else appended since the session was read. */
export class VersionConflictError extends AgentError {
  constructor() {
    super('version_conflict', 'The session changed since it was read.');
  }
}

/** The lease expired or was taken over: this writer may not write any more. */
export class LeaseLostError extends AgentError {
  constructor() {
    super('lease_lost', 'The right to write to this session was lost.');
  }
}

/** The store itself failed: out of reach, or refusing. The message holds no driver's text. */
export class SessionStoreError extends AgentError {
  constructor(
    override readonly code: 'store_unavailable' | 'store_failed',
    message: string,
  ) {
    super(code, message);
  }
}
