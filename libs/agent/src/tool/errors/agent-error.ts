/** TypeScript's `ErrorOptions`, which applications that compile for less than ES2022 lack. */
export interface ErrorCause {
  /** The error behind this one. */
  readonly cause?: unknown;
}

/** Base of the errors this library raises. `code` is stable; the message may change. */
export class AgentError extends Error {
  /**
   * Creates an error of a custom kind.
   *
   * @param code the kind of error, in snake case
   * @param message the problem, its place and its remedy
   * @param options its `cause`
   */
  constructor(
    /** The kind of error, stable: `invalid_arguments`, `session_busy`, … */
    readonly code: string,
    message: string,
    options?: ErrorCause,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Stops the boot: an option is unknown or cannot have its value. The message names each one. */
export class InvalidOptionsError extends AgentError {
  /** @internal */
  constructor(problems: readonly string[], module = 'AgentModule') {
    super('invalid_options', `${module} cannot start: ${problems.join('; ')}.`);
  }
}
