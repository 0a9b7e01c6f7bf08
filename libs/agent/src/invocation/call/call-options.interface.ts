import type { CallContext } from '../../tool';

/**
 * What the maker of a call may say of it.
 *
 * @example
 * const options: CallOptions = { principal: 'alice', signal: AbortSignal.timeout(5_000) };
 */
export interface CallOptions extends CallContext {
  /** The model's id for the call; a fresh one without it. */
  readonly callId?: string;
  /**
   * The session's owner has approved this very call: what would ask is allowed. `false` by default.
   */
  readonly approved?: boolean;
}
