import type { AttachmentLimits, CostQuota, ModelOptions, TokenQuota } from '../run';

/**
 * Limits of requests.
 *
 * @example
 * const limits: LimitOptions = { messageChars: 4_000, runsPerPrincipal: 2 };
 */
export interface LimitOptions {
  /** Characters of a message; 32 000 by default. More is refused with 400. */
  readonly messageChars?: number;
  /**
   * Bytes of a request's body, after decompression; 1 048 576 (1 MiB) by default. More is refused
   * with 413.
   */
  readonly bodyBytes?: number;
  /**
   * Bytes of a body with a whole conversation, as on the OpenAI endpoint;
   * 4 194 304 (4 MiB) by default. More is refused with 413.
   */
  readonly uiBodyBytes?: number;
  /**
   * Limits of pictures and files in a message; `false` refuses them. They do not count towards
   * `bodyBytes`. A refused one is 400 `attachment_refused`, one that is too large 413
   * `attachment_too_large`.
   */
  readonly attachments?: AttachmentLimits | false;
  /** The model options that callers may set; none by default. Others are refused with 400. */
  readonly modelOptions?: readonly (keyof ModelOptions)[];
  /**
   * The most runs of one principal that are running or queued; 8 by default. One more is refused with
   * 429.
   */
  readonly runsPerPrincipal?: number;
  /**
   * The most runs that wait for a worker; 10 000 by default. One more is refused with 503 `queue_full`.
   * Only with `runs`.
   */
  readonly queued?: number;
  /**
   * The most milliseconds that a run waits for a worker; 60 000 by default. Then it fails with
   * `queue_timeout`. Only with `runs`.
   */
  readonly queueTimeoutMs?: number;
  /**
   * The most tokens of one principal within a time, counted in all processes; unlimited by default.
   * Refused with 429 `quota_exceeded`. Anonymous callers have no quota.
   */
  readonly tokensPerPrincipal?: TokenQuota;
  /** As `tokensPerPrincipal`, for the cost of the tokens; unlimited by default. */
  readonly costPerPrincipal?: CostQuota;
  /**
   * The most messages of one request to the OpenAI endpoint; 1 000 by default. More are refused
   * with 400.
   */
  readonly historyMessages?: number;
}
