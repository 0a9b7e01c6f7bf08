import { AgentError } from '../tool';

/**
 * The kind of failure; it decides on retries and on the HTTP status.
 *
 * - `model_unavailable` (502): no connection, 5xx, a broken or cut stream
 * - `model_overloaded` (503): 503, 498 and 529
 * - `model_timeout` (504): silence, 408
 * - `model_rate_limited` (429): 429, and 402, where a payment is due
 * - `model_authentication` (502): 401 and 403 of the provider, which are no matter of our caller's
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
 * A model call failed. The message is ours and safe to show; the provider's stands in `cause`.
 *
 * @example
 * throw new ModelError('model_rate_limited', 'The model is busy.', { retryAfterMs: 2_000 });
 */
export class ModelError extends AgentError {
  /** The HTTP status that fits the code. */
  readonly httpStatus: number;
  /** Milliseconds after which trying again may help, where the provider said so. */
  readonly retryAfterMs?: number;
  /** Whether the same call may succeed a little later. */
  readonly isRetryable: boolean;

  /**
   * For models of one's own.
   *
   * @param code the kind of failure
   * @param message safe to show
   * @param options the provider's own error as `cause`, and its wait before another attempt
   */
  constructor(
    /** The kind of failure. */
    override readonly code: ModelErrorCode,
    message: string,
    options: ErrorOptions & {
      /** Milliseconds after which trying again may help; unknown by default. */
      readonly retryAfterMs?: number;
      /** Where the code alone says it wrongly: a spent quota is a 429 that waiting does not mend. */
      readonly isRetryable?: boolean;
    } = {},
  ) {
    super(code, message, options);
    this.httpStatus = HTTP_STATUS[code];
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
    this.isRetryable = options.isRetryable ?? RETRYABLE.has(code);
  }
}
