import { LONGEST_TIMER_MS, outsideRequests } from '../../internal';

/** The fraction of a lease's duration reserved for stopping the run and for clock drift. */
const MARGIN = 0.1;

/**
 * Renews a lease three times within its duration, until stopped. Calls `onLost` once if the lease is
 * lost or about to expire. A failed or hanging renewal does not count: expiry is counted from the
 * start of the last successful one.
 *
 * @param heldSince `performance.now()` at the request for the lease
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
  const timer = outsideRequests(() => {
    countFrom(heldSince);
    return setInterval(() => void renew(), Math.max(1, Math.floor(lastsMs / 3))).unref();
  });
  return stop;
}
