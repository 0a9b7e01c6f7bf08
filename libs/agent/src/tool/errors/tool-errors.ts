import { AgentError, type ErrorCause } from './agent-error';

/**
 * Throw this from a tool to send the model an error message. For any other exception except
 * `HttpException`, the model only learns that the tool failed.
 *
 * @example
 * throw new ToolError('There is no order 17. Use list_orders to see what there is.');
 */
export class ToolError extends AgentError {
  /**
   * Creates an error with a message for the model.
   *
   * @param message the text for the model; cut off after 2 000 characters
   * @param options its `cause`, hidden from the model, and a `code`, `tool_error` by default
   */
  constructor(message: string, options?: ErrorCause & { readonly code?: string }) {
    super(options?.code ?? 'tool_error', message, options);
  }
}

/** One problem with the arguments. */
export interface ArgumentIssue {
  /**
   * JSON pointer to the value; empty for the whole input.
   *
   * @see https://www.rfc-editor.org/rfc/rfc6901
   */
  readonly path: string;
  /** The problem, worded so that the model can correct it. */
  readonly message: string;
}

/** The model's arguments do not match the tool's schema. The message lists every problem. */
export class InvalidArgumentsError extends AgentError {
  /**
   * Creates the error for a model's arguments.
   *
   * @param issues at least one
   */
  constructor(
    /** Every problem with the arguments. */
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

/** Stops the boot: a tool declaration is invalid. The message names class and method. */
export class ToolDeclarationError extends AgentError {
  /** @internal */
  constructor(message: string, options?: ErrorOptions) {
    super('invalid_tool', message, options);
  }
}
