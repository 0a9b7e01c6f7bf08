import { CallIndex } from './call-index';
import type { RunCall } from './run-state';

/** The calls of a run, by their ids. */
export const RUN_CALLS = new CallIndex<Pick<RunCall, 'id'>>(({ id }) => [id]);

/**
 * The index of a call in its run, or -1. Some providers number calls anew in every step, so an id
 * means the last call with it.
 */
export function placeOfCall(calls: readonly Pick<RunCall, 'id'>[], callId: string): number {
  return RUN_CALLS.placesOf(calls, callId).at(-1) ?? -1;
}
