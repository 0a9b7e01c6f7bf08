import type { StopReason } from '../../message';

/** Stop reasons whose final text is the run's, not a model's. */
const WORDED_ENDS: ReadonlySet<StopReason> = new Set(['max_steps', 'budget', 'loop']);

/**
 * The words of a run's end that no event has streamed; empty if there are none.
 *
 * @param streamed the text that was streamed, or its end
 */
export function wordedEnd(
  { stopReason, message }: { readonly stopReason: StopReason; readonly message: string },
  streamed: string,
): string {
  return WORDED_ENDS.has(stopReason) && !streamed.endsWith(message) ? message : '';
}
