import { AgentError } from './agent-error';

/** "Not Implemented" and "Loop Detected" are permanent: a retry ends the same way. */
const PERMANENT = new Set([501, 508]);

/**
 * A route tool's response has an error status. The message comes from the application's own error
 * body or from the library, never from a stack, so the model may read it. `code` is `unauthorized`
 * (401), `forbidden` (403) or `http_error`.
 */
export class RouteResponseError extends AgentError {
  /** @internal */
  constructor(
    /** The response's HTTP status. */
    readonly status: number,
    message: string,
    options?: ErrorOptions,
    /** The OAuth scopes that the token lacks. */
    readonly scopes?: readonly string[],
  ) {
    super(codeOf(status), message, options);
  }

  /** Whether the same request may succeed later: the server failed, not the caller. */
  get retryable(): boolean {
    return this.status >= 500 && !PERMANENT.has(this.status);
  }
}

function codeOf(status: number): string {
  if (status === 401) return 'unauthorized';
  return status === 403 ? 'forbidden' : 'http_error';
}
