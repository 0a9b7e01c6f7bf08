import { AgentError } from '../../../tool';

/** An attempt, or an interceptor of the tool, exceeded its timeout. */
export class ToolTimeoutError extends AgentError {
  /** @internal */
  constructor(timeoutMs: number, isReadOnly: boolean, what = 'The tool') {
    super(
      'timeout',
      `${what} did not answer within ${timeoutMs / 1_000} s and was stopped.${isReadOnly ? '' : ' Its effect is unknown.'}`,
    );
  }
}

/** The tool failed several times in a row in this session and is paused. */
export class ToolUnavailableError extends AgentError {
  /** @internal */
  constructor(name: string) {
    super(
      'temporarily_unavailable',
      `The tool "${name}" is temporarily unavailable, because it failed several times in a row. Try it again in a few minutes, or do without it.`,
    );
  }
}

/** The call was cancelled, or its client disconnected. */
export class CallInterruptedError extends AgentError {
  /** @internal */
  constructor(hasStarted = true) {
    super(
      'interrupted',
      hasStarted
        ? 'The call was interrupted before it finished. Its effect is unknown.'
        : 'The call was cancelled before it started. It had no effect.',
    );
  }
}

/** `execute()` was called on a call that is not pending. */
export class CallNotPendingError extends AgentError {
  /** @internal */
  constructor(name: string, status: string) {
    super(
      'not_pending',
      `This call of "${name}" is ${status}; only a pending call can be executed.`,
    );
  }
}
