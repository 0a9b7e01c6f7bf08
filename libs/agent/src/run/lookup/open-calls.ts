import { type Draft, discardedBy } from '../../session';
import {
  CANCELLED,
  endCalls,
  isAskedOutside,
  type LoopServices,
  mayHaveRun,
  OUTCOME_UNKNOWN,
  UNANSWERED,
} from '../loop';
import { type RunContext } from '../context';
import { hadWorker, isAbandoned, type NewEntry } from '../record';

/**
 * Settles the open calls of a run that ends without further execution. The start of a repeatable call is
 * not stored, so it may have run if a worker had the run.
 *
 * @param before entries in front of the results
 * @param wasExecuted whether calls whose start is not stored may have run
 */
export async function endOpenCalls(
  run: RunContext,
  { calls }: Pick<LoopServices, 'calls'>,
  before: readonly NewEntry[],
  wasExecuted = hadWorker(run.journal.state),
): Promise<void> {
  const { state } = run.journal;
  const ended = state.openCalls.map((open) => {
    const { call, started } = open;
    const isUnknown = (started || wasExecuted) && mayHaveRun(state, open);
    const settlement = isUnknown ? OUTCOME_UNKNOWN : CANCELLED;
    return { call, settlement: isAskedOutside(state, call.id) ? UNANSWERED : settlement };
  });
  await endCalls(run, calls, ended, { before });
}

/** Marks a dead worker's events of its last step as void; empty if no worker died. */
export function discardedOf(
  { journal: { state } }: RunContext,
  draft: Draft | undefined,
): readonly NewEntry[] {
  return state.run && isAbandoned(state) ? [discardedBy(state, state.run, draft)] : [];
}
