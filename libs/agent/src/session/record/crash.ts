import { textOf } from '../../message';
import {
  type Draft,
  ENTRY_VERSION,
  type EntryNumbers,
  type EntryOf,
  isOfWorkers,
  type SessionEntry,
  type StoredFailure,
} from './entries';
import type { RunState } from './run-state';
import type { SessionState } from './session-state';
import { numbersOf, UNSTORED_NUMBERS } from './entry-events';

/** The failure of a run whose process died. */
const CUT_OFF_FAILURE: StoredFailure = {
  code: 'interrupted',
  message: 'The server stopped while it worked on this. Send the message again.',
  httpStatus: 503,
};

/** The end of a run whose process died. */
export interface CrashEnd {
  /** The stored part of the model's last answer. */
  readonly draft?: SessionEntry & EntryNumbers;
  readonly end: EntryOf<'run.finished'> & EntryNumbers;
}

/**
 * The end of a session's last run if its process died; `undefined` otherwise. Readers receive it, and
 * the owner's next request stores it with the same numbers.
 *
 * @param draft the draft of the session's record
 */
export function crashEndOf(state: SessionState, draft?: Draft): CrashEnd | undefined {
  const { run } = state;
  // Another worker continues a queued run.
  if (run?.status !== 'running' || isOfWorkers(run)) return undefined;
  const { said, seq } = lastSent(state, run, draft);
  const { runId, usage } = run;
  return {
    ...(said && { draft: said }),
    end: {
      v: ENTRY_VERSION,
      seq: seq + UNSTORED_NUMBERS + 1,
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

/**
 * Marks a dead worker's events of its last step as void. Readers may have received more events than
 * are stored, so numbering continues above these.
 */
export function discardedBy(
  state: SessionState,
  run: RunState,
  draft?: Draft,
): EntryOf<'step.discarded'> & EntryNumbers {
  const to = lastSent(state, run, draft).seq + UNSTORED_NUMBERS;
  const { runId, lastSeq } = run;
  return {
    v: ENTRY_VERSION,
    seq: to + 1,
    type: 'step.discarded',
    runId,
    from: lastSeq + 1,
    to,
  };
}

/** A dead process's unfinished answer, and the last number that may have been sent. */
function lastSent(
  { version }: SessionState,
  { runId, lastSeq }: RunState,
  draft: Draft | undefined,
): { readonly said?: Draft['entry']; readonly seq: number } {
  const said = draft?.after === version && draft.entry.runId === runId ? draft.entry : undefined;
  if (said?.seq === undefined) return { ...(said && { said }), seq: lastSeq };
  return { said, seq: said.seq + numbersOf(said) - 1 };
}
