import { pause } from '../../internal';

/**
 * The attempts at a session that another request holds, or that a store with late reads still returns
 * as it was.
 */
export const MOST_TRIES = 20;

/** Waits 50 to 150 ms: requests that were refused together do not come again together. */
export function pauseBeforeNext(): Promise<void> {
  return pause(50 + 100 * Math.random());
}
