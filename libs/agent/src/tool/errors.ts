/** Base of the errors this library raises. `code` is stable; the message may change. */
export class AgentError extends Error {
  /**
   * For errors of one's own kind.
   *
   * @param code what went wrong, in snake case
   * @param message what was wrong, where, and what to do
   * @param options its `cause`
   */
  constructor(
    /** What went wrong, stable: `invalid_arguments`, `session_busy`, … */
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/**
 * Throw this from a tool to tell the model what went wrong. Of other exceptions, `HttpException`
 * apart, the model only hears that the tool failed.
 *
 * @example
 * throw new ToolError('There is no order 17. Use list_orders to see what there is.');
 */
export class ToolError extends AgentError {
  /**
   * An error with words for the model.
   *
   * @param message what the model reads; at most 2 000 characters reach it
   * @param options its `cause`, which the model does not see, and a `code`, `tool_error` by default
   */
  constructor(message: string, options?: ErrorOptions & { readonly code?: string }) {
    super(options?.code ?? 'tool_error', message, options);
  }
}

/** One thing that is wrong with the arguments. */
export interface ArgumentIssue {
  /**
   * JSON pointer to the value; empty for the whole.
   *
   * @see https://www.rfc-editor.org/rfc/rfc6901
   */
  readonly path: string;
  /** What is wrong with it, for the model to mend. */
  readonly message: string;
}

/** The model's arguments do not fit the tool. The message lists every problem. */
export class InvalidArgumentsError extends AgentError {
  /**
   * For a model's arguments.
   *
   * @param issues at least one
   */
  constructor(
    /** Everything that is wrong. */
    readonly issues: readonly ArgumentIssue[],
  ) {
    super(
      'invalid_arguments',
      `Invalid arguments: ${issues
        .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
        .join('; ')}`,
    );
  }
}

/** Stops the boot: a tool is declared wrongly. The message names class and method. */
export class ToolDeclarationError extends AgentError {
  /** @internal */
  constructor(message: string, options?: ErrorOptions) {
    super('invalid_tool', message, options);
  }
}
