import { textOf } from '../../message';
import type { Draft } from './draft';
import { numbersOf, UNSTORED_NUMBERS } from './numbers';
import { ENTRY_VERSION, type EntryNumbers, type SessionEntry } from './session-entry';
import type { StoredFailure } from './stored-failure';
import type { SessionState } from './session-state';

/** The failure of a run whose process died. */
const CUT_OFF_FAILURE: StoredFailure = {
  code: 'interrupted',
  message: 'The server stopped while it worked on this. Send the message again.',
  httpStatus: 503,
};

/** The end of a run whose process died. */
export interface CrashEnd {
  /** The model's last answer, as far as it was saved. */
  readonly draft?: SessionEntry & EntryNumbers;
  readonly end: Extract<SessionEntry, { type: 'run.finished' }> & EntryNumbers;
}

/**
 * How the last run of a session ended that its process left open; `undefined` where there is none.
 * Readers are told of it, and the owner's next request writes it down, with the same numbers.
 *
 * @param draft the record's
 */
export function crashEndOf({ run, version }: SessionState, draft?: Draft): CrashEnd | undefined {
  if (run?.status !== 'running') return undefined;
  const said =
    draft?.after === version && draft.entry.runId === run.runId ? draft.entry : undefined;
  const told = said?.seq === undefined ? run.lastSeq : said.seq + numbersOf(said) - 1;
  const { runId, usage } = run;
  return {
    ...(said && { draft: said }),
    end: {
      v: ENTRY_VERSION,
      seq: told + UNSTORED_NUMBERS + 1,
      type: 'run.finished',
      runId,
      status: 'failed',
      stopReason: 'error',
      message: said ? textOf(said.message) : '',
      usage,
      failure: CUT_OFF_FAILURE,
    },
  };
}
