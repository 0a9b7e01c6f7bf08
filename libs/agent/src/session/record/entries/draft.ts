import type { EntryNumbers, SessionEntry } from './session-entry';

/**
 * An unfinished answer of the model. It is part of the session's record, so that readers elsewhere
 * can see it and it survives a crash.
 */
export interface Draft {
  /** The last entry's position when it was written; valid while no entry follows. */
  readonly after: number;
  /** The message so far, with the numbers of its events. */
  readonly entry: Extract<SessionEntry, { type: 'message' }> & EntryNumbers;
}
