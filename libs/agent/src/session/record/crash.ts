import { textOf } from '../../message';
import {
  type Draft,
  ENTRY_VERSION,
  type EntryNumbers,
  isOfWorkers,
  numbersOf,
  QUEUE_ENTRY_VERSION,
  type SessionEntry,
  type StoredFailure,
  UNSTORED_NUMBERS,
} from './entries';
import type { RunState } from './run-state';
import type { SessionState } from './session-state';

/** The failure of a run whose process died. */
export const CUT_OFF_FAILURE: StoredFailure = {
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
export function crashEndOf(state: SessionState, draft?: Draft): CrashEnd | undefined {
  const { run } = state;
  // Another worker goes on with a queued run.
  if (run?.status !== 'running' || isOfWorkers(run)) return undefined;
  const { said, told } = lastTold(state, run, draft);
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

/**
 * Voids what a dead worker told of its last step. Its readers may have heard more than is stored, so
 * counting goes on above.
 */
export function discardedBy(
  state: SessionState,
  run: RunState,
  draft?: Draft,
): Extract<SessionEntry, { type: 'step.discarded' }> & EntryNumbers {
  const to = lastTold(state, run, draft).told + UNSTORED_NUMBERS;
  const { runId, lastSeq } = run;
  return {
    v: QUEUE_ENTRY_VERSION,
    seq: to + 1,
    type: 'step.discarded',
    runId,
    from: lastSeq + 1,
    to,
  };
}

/** A dead process's unfinished answer, and the last number that is known to be told. */
function lastTold(
  { version }: SessionState,
  { runId, lastSeq }: RunState,
  draft: Draft | undefined,
): { readonly said?: Draft['entry']; readonly told: number } {
  const said = draft?.after === version && draft.entry.runId === runId ? draft.entry : undefined;
  if (said?.seq === undefined) return { ...(said && { said }), told: lastSeq };
  return { said, told: said.seq + numbersOf(said) - 1 };
}
