import type { AttachmentLimits, CostQuota, ModelOptions, TokenQuota } from '../run';

/**
 * Bounds on requests.
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
   * Bytes of the body of a request that brings a whole conversation, as on the OpenAI endpoint;
   * 4 194 304 (4 MiB) by default. More is refused with 413.
   */
  readonly uiBodyBytes?: number;
  /**
   * Pictures and files that a message may have; `false` for none. A body may have `bodyBytes` besides
   * them. Refused ones are 400 `attachment_refused`, too large ones 413 `attachment_too_large`.
   */
  readonly attachments?: AttachmentLimits | false;
  /** Options of the model that callers may choose; none by default. Others are refused with 400. */
  readonly modelOptions?: readonly (keyof ModelOptions)[];
  /**
   * Runs that one principal may have under way or in the queue; 8 by default. One more is refused with
   * 429.
   */
  readonly runsPerPrincipal?: number;
  /**
   * Runs that may wait for a worker; 10 000 by default. One more is refused with 503 `queue_full`.
   * Only with `runs`.
   */
  readonly queued?: number;
  /**
   * Milliseconds that a run may wait for a worker; 60 000 by default. Then it fails with
   * `queue_timeout`. Only with `runs`.
   */
  readonly queueTimeoutMs?: number;
  /**
   * Tokens that one principal may spend within a time, counted in all processes; unlimited by default.
   * Refused with 429 `quota_exceeded`. Anonymous callers have no quota.
   */
  readonly tokensPerPrincipal?: TokenQuota;
  /** As `tokensPerPrincipal`, for the cost of the tokens; unlimited by default. */
  readonly costPerPrincipal?: CostQuota;
  /**
   * Messages that one request of the OpenAI endpoint may bring; 1 000 by default. More are refused
   * with 400.
   */
  readonly historyMessages?: number;
}
