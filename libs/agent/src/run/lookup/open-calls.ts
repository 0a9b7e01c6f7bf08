import type { ToolCallFactory } from '../../invocation';
import { type Draft, discardedBy } from '../../session';
import { CANCELLED, endCalls, isAskedOutside, OUTCOME_UNKNOWN, UNANSWERED } from '../loop';
import { type RunContext } from '../context';
import { isAbandoned, type NewEntry, wasAbandoned } from '../record';

/**
 * Settles the open calls of a run that ends without further execution.
 *
 * @param before entries in front of the results
 */
export async function endOpenCalls(
  run: RunContext,
  calls: ToolCallFactory,
  before: readonly NewEntry[],
): Promise<void> {
  const { state } = run.journal;
  const wasRunning = wasAbandoned(state);
  const ended = state.openCalls.map(({ call, started }) => ({
    call,
    settlement: isAskedOutside(state, call.id)
      ? UNANSWERED
      : wasRunning && started
        ? OUTCOME_UNKNOWN
        : CANCELLED,
  }));
  await endCalls(run, calls, ended, { before });
}

/** Marks a dead worker's events of its last step as void; empty if no worker died. */
export function discardedOf(
  { journal: { state } }: RunContext,
  draft: Draft | undefined,
): readonly NewEntry[] {
  return state.run && isAbandoned(state) ? [discardedBy(state, state.run, draft)] : [];
}
