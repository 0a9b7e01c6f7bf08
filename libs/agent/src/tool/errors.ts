/** Base of the errors this library raises. `code` is stable; the message may change. */
export class AgentError extends Error {
  constructor(
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
  constructor(message: string, options?: ErrorOptions & { readonly code?: string }) {
    super(options?.code ?? 'tool_error', message, options);
  }
}

/** One thing that is wrong with the arguments. */
export interface ArgumentIssue {
  /** JSON pointer (RFC 6901) to the value; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

/** The model's arguments do not fit the tool. The message lists every problem. */
export class InvalidArgumentsError extends AgentError {
  constructor(readonly issues: readonly ArgumentIssue[]) {
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
  constructor(message: string, options?: ErrorOptions) {
    super('invalid_tool', message, options);
  }
}
