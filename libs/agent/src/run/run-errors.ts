import { AgentError } from '../tool';

/** The run is unknown, gone with its session, or somebody else's; `code` is `run_not_found`. */
export class RunNotFoundError extends AgentError {
  /** @internal */
  constructor() {
    super('run_not_found', 'There is no such run.');
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

/** An answer to an action that is not pending (`not_pending`), or no longer (`already_resolved`). */
export class ActionConflictError extends AgentError {
  /** @internal */
  constructor(code: 'not_pending' | 'already_resolved', callId: string) {
    super(
      code,
      code === 'already_resolved'
        ? `The action of call "${callId}" was answered before.`
        : `The call "${callId}" waits for no such answer.`,
    );
  }
}

/** The caller has too many runs at once; `code` is `too_many_runs`. */
export class TooManyRunsError extends AgentError {
  /** @internal */
  constructor(limit: number) {
    super(
      'too_many_runs',
      `At most ${limit} runs at a time are allowed for one caller. Wait for one to end.`,
    );
  }
}
