import type { EntryNumbers, SessionEntry } from './session-entry';

/**
 * A model's answer under way, so far. It stands on the session's record, so that
 * readers elsewhere see it and a crash does not lose it.
 */
export interface Draft {
  /** The last entry's position when it was written: it holds as long as nothing follows. */
  readonly after: number;
  /** The message so far, with the numbers under which it was told. */
  readonly entry: Extract<SessionEntry, { type: 'message' }> & EntryNumbers;
}
