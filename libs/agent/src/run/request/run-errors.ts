import { AgentError } from '../../tool';

/** The run is unknown, gone with its session, or somebody else's; `code` is `run_not_found`. */
export class RunNotFoundError extends AgentError {
  /** @internal */
  constructor() {
    super('run_not_found', 'There is no such run.');
  }
}

/**
 * The run cannot be taken back: it was taken back before, or a summary stands for what was said.
 * `code` is `run_not_replaceable`.
 */
export class RunNotReplaceableError extends AgentError {
  /** @internal */
  constructor() {
    super(
      'run_not_replaceable',
      'This run cannot be replaced: what was said in it is no part of the conversation any more. Send a new message instead.',
    );
  }
}

/** What was sent cannot be used. The message says what is wrong with it. */
export class InvalidInputError extends AgentError {
  /** @internal */
  constructor(
    message: string,
    /** Each thing that is wrong, where there may be several. */
    readonly details: readonly string[] = [],
    code = 'invalid_input',
    /** The field it is about, as the message has it: `toolChoice`, `frontendTools/0`. */
    readonly field?: string,
  ) {
    super(code, message);
  }
}

/**
 * An answer to an action that is not pending (`not_pending`), or no longer: it was answered before
 * (`already_resolved`), or its time is over (`expired`).
 */
export class ActionConflictError extends AgentError {
  /** @internal */
  constructor(code: keyof typeof CONFLICTS, callId: string) {
    super(code, `The ${CONFLICTS[code](callId)}`);
  }
}

/** This process closes and takes no more runs; another one may. `code` is `shutting_down`. */
export class ShuttingDownError extends AgentError {
  /** Milliseconds after which to try again. */
  readonly retryAfterMs = 1_000;

  /** @internal */
  constructor() {
    super('shutting_down', 'The server is shutting down. Try again in a moment.');
  }
}

const CONFLICTS = {
  not_pending: (callId: string) => `call "${callId}" waits for no such answer.`,
  already_resolved: (callId: string) => `action of call "${callId}" was answered before.`,
  expired: (callId: string) => `time to approve call "${callId}" was over. It was not run.`,
};
