/** Why a run failed. */
export interface StoredFailure {
  /** Stable, such as `model_rate_limited`. */
  readonly code: string;
  /** Safe to show. */
  readonly message: string;
  /** The HTTP status that fits. */
  readonly httpStatus: number;
}
