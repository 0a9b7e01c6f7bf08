import { AgentError } from '../../tool';

/** An attempt took longer than it may. */
export class ToolTimeoutError extends AgentError {
  /** @internal */
  constructor(timeoutMs: number, isReadOnly: boolean) {
    super(
      'timeout',
      `The tool did not answer within ${timeoutMs / 1_000} s and was stopped.${isReadOnly ? '' : ' Whether it had an effect is unknown.'}`,
    );
  }
}

/** A tool failed too often in this session and is left alone for a while. */
export class ToolUnavailableError extends AgentError {
  /** @internal */
  constructor(name: string) {
    super(
      'temporarily_unavailable',
      `The tool "${name}" is temporarily unavailable, because it failed several times in a row. Try it again in a few minutes, or do without it.`,
    );
  }
}

/** The caller went away or cancelled. */
export class CallInterruptedError extends AgentError {
  /** @internal */
  constructor(hasStarted = true) {
    super(
      'interrupted',
      hasStarted
        ? 'The call was interrupted before it finished. Whether it had an effect is unknown.'
        : 'The call was cancelled before it started. It had no effect.',
    );
  }
}

/** `execute()` of a call that may not run, or did already. */
export class CallNotPendingError extends AgentError {
  /** @internal */
  constructor(name: string, status: string) {
    super(
      'not_pending',
      `This call of "${name}" is ${status}; only a pending call can be executed.`,
    );
  }
}
