import { AgentError } from '../../tool';

/** This caller has no such run; `code` is `run_not_found`. */
export class RunNotFoundError extends AgentError {
  /** @internal */
  constructor() {
    super('run_not_found', 'There is no such run.');
  }
}

/**
 * The run cannot be replaced: it was rewound before, or compaction has summarized it. `code` is
 * `run_not_replaceable`.
 */
export class RunNotReplaceableError extends AgentError {
  /** @internal */
  constructor() {
    super(
      'run_not_replaceable',
      'This run cannot be replaced: it is no longer part of the conversation. Send a new message instead.',
    );
  }
}

/** The input is invalid. The message names the problem. */
export class InvalidInputError extends AgentError {
  /** @internal */
  constructor(
    message: string,
    /** All problems, if there may be several. */
    readonly details: readonly string[] = [],
    code = 'invalid_input',
    /** The invalid field, as in the message: `toolChoice`, `frontendTools/0`. */
    readonly field?: string,
  ) {
    super(code, message);
  }
}

export function invalidField(
  field: string,
  message: string,
  problems?: readonly string[],
): InvalidInputError {
  return new InvalidInputError(message, problems, undefined, field);
}

/**
 * The action is not pending (`not_pending`), was already answered (`already_resolved`) or has expired
 * (`expired`).
 */
export class ActionConflictError extends AgentError {
  /** @internal */
  constructor(code: keyof typeof CONFLICTS, callId: string) {
    super(code, `The ${CONFLICTS[code](callId)}`);
  }
}

/** This process is shutting down and accepts no runs. `code` is `shutting_down`. */
export class ShuttingDownError extends AgentError {
  /** Milliseconds to wait before a retry. */
  readonly retryAfterMs = 1_000;

  /** @internal */
  constructor() {
    super('shutting_down', 'The server is shutting down. Try again in a moment.');
  }
}

/**
 * The principal has used up `limits.tokensPerPrincipal` or `limits.costPerPrincipal`. `code` is
 * `quota_exceeded`.
 */
export class QuotaExceededError extends AgentError {
  /** @internal */
  constructor(
    /** Milliseconds until the principal is below the quota again. */
    readonly retryAfterMs: number,
  ) {
    super('quota_exceeded', 'The quota for this time is used up. Try again later.');
  }
}

/** Too many runs wait for a worker. `code` is `queue_full`. */
export class QueueFullError extends AgentError {
  /** Milliseconds to wait before a retry. */
  readonly retryAfterMs = 5_000;

  /** @internal */
  constructor() {
    super('queue_full', 'Too many messages are waiting. Try again in a moment.');
  }
}

/** No worker took up a run within `limits.queueTimeoutMs`. `code` is `queue_timeout`. */
export class QueueTimeoutError extends AgentError {
  /** @internal */
  constructor() {
    super('queue_timeout', 'The message waited too long. Send it again.');
  }
}

/** Workers died repeatedly in the same step of a run. `code` is `interrupted`. */
export class WorkersLostError extends AgentError {
  /** @internal */
  constructor() {
    super('interrupted', 'The server stopped while it worked on this. Send the message again.');
  }
}

/** A worker could not become the caller of a run. `code` is `credentials_refused`. */
export class CredentialsRefusedError extends AgentError {
  /** @internal */
  constructor() {
    super(
      'credentials_refused',
      'Your login is not valid any more. Log in and send the message again.',
    );
  }
}

/** `credentials.delegate` returned no text or too long a text. `code` is `claim_too_large`. */
export class ClaimTooLargeError extends AgentError {
  /** @internal */
  constructor(maxBytes: number) {
    super(
      'claim_too_large',
      `credentials.delegate must return a text of at most ${maxBytes} bytes, such as the user's id.`,
    );
  }
}

const CONFLICTS = {
  not_pending: (callId: string) => `call "${callId}" does not wait for such an answer.`,
  already_resolved: (callId: string) => `action of call "${callId}" was already answered.`,
  expired: (callId: string) => `approval of call "${callId}" has expired. The call was not run.`,
};
