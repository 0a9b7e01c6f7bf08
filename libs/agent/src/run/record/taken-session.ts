import type { SessionState, TakenLease } from '../../session';

/** A session that was taken for writing. */
export interface TakenSession {
  readonly lease: TakenLease;
  /** `performance.now()` when the lease was asked for. It cannot have been given before. */
  readonly heldSince: number;
  readonly state: SessionState;
}
