import { AgentError } from '../tool';

/**
 * What kind of failure it was; it decides on retries and on the HTTP status.
 *
 * - `model_unavailable` (502): no connection, 5xx, a broken or cut stream
 * - `model_overloaded` (503): 503 and 529
 * - `model_timeout` (504): silence, 408
 * - `model_rate_limited` (429)
 * - `model_authentication` (502): 401 and 403 of the provider, which are no matter of our caller's
 * - `model_not_found` (502): 404
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

/** A model call failed. The message is ours and safe to show; the provider's stands in `cause`. */
export class ModelError extends AgentError {
  readonly httpStatus: number;
  readonly retryAfterMs?: number;
  /** Whether the same call may succeed a little later. */
  readonly isRetryable: boolean;

  constructor(
    override readonly code: ModelErrorCode,
    message: string,
    options: ErrorOptions & {
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
