/**
 * The attempts, and the milliseconds between them, at a session that another request holds, or that a
 * store with late reads still returns as it was.
 */
export const MOST_TRIES = 20;
export const AGAIN_MS = 100;
