import { LONGEST_TIMER_MS } from '../../internal';

/** The part of a lease's life that is left to its run to stop in, and to clocks that differ. */
const MARGIN = 0.1;

/**
 * Renews a lease three times within its life, until it is told to stop. `onLost` hears once that the
 * lease is another's, or soon may be: a renewal that fails or hangs is none, so what counts is when
 * the last successful one was asked for.
 *
 * @param heldSince `performance.now()` when the lease was asked for
 */
export function keepLease(
  renewLease: () => Promise<boolean>,
  heldSince: number,
  ttlMs: number,
  onLost: () => void,
): () => void {
  const lastsMs = Math.min(ttlMs, LONGEST_TIMER_MS);
  let isOver = false;
  let expiry: NodeJS.Timeout | undefined;
  let since = -Infinity;
  const stop = (): void => {
    isOver = true;
    clearInterval(timer);
    clearTimeout(expiry);
  };
  const lose = (): void => {
    stop();
    onLost();
  };
  const countFrom = (askedAt: number): void => {
    since = Math.max(since, askedAt);
    clearTimeout(expiry);
    const leftMs = since + lastsMs * (1 - MARGIN) - performance.now();
    expiry = setTimeout(lose, Math.max(0, leftMs)).unref();
  };
  const renew = async (): Promise<void> => {
    const askedAt = performance.now();
    const isHeld = await renewLease().catch(() => undefined);
    if (isOver || isHeld === undefined) return;
    if (isHeld) countFrom(askedAt);
    else lose();
  };
  const timer = setInterval(() => void renew(), Math.max(1, Math.floor(lastsMs / 3))).unref();
  countFrom(heldSince);
  return stop;
}
