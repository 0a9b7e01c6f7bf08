import { isUnderWay } from '../../message';
import type { Thread } from './client-threads';

/** The result of a call that was cut off, in a history. */
export const CUT_OFF =
  'The server stopped before this call had a result. Your next message shows its outcome.';

/**
 * Whether calls of a run that have no result were cut off with their process: nothing works on them
 * until the session's next run settles them.
 *
 * @param runId the run of the calls
 * @param last the session's last run
 */
export function areCutOff(runId: string | undefined, last: Thread['run']): boolean {
  // A later run may have begun since the session was read.
  if (last === undefined || runId !== last.runId) return false;
  return last.status !== 'requires_action' && !isUnderWay(last.status);
}
