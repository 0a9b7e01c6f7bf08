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
 * The answered action is not pending (`not_pending`), was already answered (`already_resolved`) or
 * has expired (`expired`).
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
 * The principal has spent what `limits.tokensPerPrincipal` or `limits.costPerPrincipal` allows. `code`
 * is `quota_exceeded`.
 */
export class QuotaExceededError extends AgentError {
  /** @internal */
  constructor(
    /** Milliseconds until enough of the window has passed. */
    readonly retryAfterMs: number,
  ) {
    super('quota_exceeded', 'The quota for this time is used up. Try again later.');
  }
}

const CONFLICTS = {
  not_pending: (callId: string) => `call "${callId}" does not wait for such an answer.`,
  already_resolved: (callId: string) => `action of call "${callId}" was already answered.`,
  expired: (callId: string) => `approval of call "${callId}" has expired. The call was not run.`,
};
