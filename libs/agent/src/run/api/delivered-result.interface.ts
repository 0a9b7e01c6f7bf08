import type { JsonValue } from '../../message';

/** A browser's result for a pending call of a frontend tool. */
export interface DeliveredResult {
  /** The session of the waiting run. */
  readonly sessionId: string;
  /** The pending call. */
  readonly callId: string;
  /** The tool's result; missing if the tool returned nothing. */
  readonly result?: JsonValue;
  /** The error message of a failed tool; instead of `result`. */
  readonly error?: string;
  /** The logged-in user's id; missing for anonymous callers. */
  readonly principal?: string;
}
