import { AgentError, type ErrorCause } from '../tool';

/**
 * The kind of failure; it decides about retries and the HTTP status.
 *
 * - `model_unavailable` (502): no connection, 5xx, 409, 424, 425, 499, a broken or cut stream
 * - `model_overloaded` (503): 503, 498 and 529
 * - `model_timeout` (504): no data in time, 408
 * - `model_rate_limited` (429): 429, and 402 (payment due)
 * - `model_authentication` (502): 401 and 403 of the provider, which do not concern our caller
 * - `model_not_found` (502): 404 and 410
 * - `model_bad_request` (502): 400 and 422
 * - `context_too_long` (502): the history does not fit
 */
export type ModelErrorCode =
  | 'model_unavailable'
  | 'model_overloaded'
  | 'model_timeout'
  | 'model_rate_limited'
  | 'model_authentication'
  | 'model_not_found'
  | 'model_bad_request'
  | 'context_too_long';

const HTTP_STATUS: Readonly<Record<ModelErrorCode, number>> = {
  model_unavailable: 502,
  model_overloaded: 503,
  model_timeout: 504,
  model_rate_limited: 429,
  model_authentication: 502,
  model_not_found: 502,
  model_bad_request: 502,
  context_too_long: 502,
};

const RETRYABLE: ReadonlySet<ModelErrorCode> = new Set([
  'model_unavailable',
  'model_overloaded',
  'model_timeout',
  'model_rate_limited',
]);

/**
 * A model call failed. The message is the library's and safe to show; the provider's is in `cause`.
 *
 * @example
 * throw new ModelError('model_rate_limited', 'The model is busy.', { retryAfterMs: 2_000 });
 */
export class ModelError extends AgentError {
  /** The HTTP status that fits the code. */
  readonly httpStatus: number;
  /** Milliseconds after which a retry may help, if the provider gave a time. */
  readonly retryAfterMs?: number;
  /** Whether the same call may succeed later. */
  readonly isRetryable: boolean;

  /**
   * For custom models.
   *
   * @param code the kind of failure
   * @param message safe to show
   * @param options the provider's own error as `cause`, and the wait that it asks for
   */
  constructor(
    /** The kind of failure. */
    override readonly code: ModelErrorCode,
    message: string,
    options: ErrorCause & {
      /** Milliseconds after which a retry may help; unknown by default. */
      readonly retryAfterMs?: number;
      /** Set if the code alone is misleading: for a spent quota (429) waiting does not help. */
      readonly isRetryable?: boolean;
    } = {},
  ) {
    super(code, message, options);
    this.httpStatus = HTTP_STATUS[code];
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
    this.isRetryable = options.isRetryable ?? RETRYABLE.has(code);
  }
}
