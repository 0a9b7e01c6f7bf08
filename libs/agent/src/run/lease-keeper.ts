import { LONGEST_TIMER_MS, type Lease, type SessionStore } from '../session';

/**
 * Renews a lease three times within its life, until it is told to stop. `onLost` hears once that
 * another process holds it, or that the store cannot be reached for longer than the lease lives.
 */
export function keepLease(
  store: SessionStore,
  lease: Lease,
  ttlMs: number,
  onLost: () => void,
): () => void {
  let renewedAt = Date.now();
  let isRenewing = false;
  const stop = (): void => clearInterval(timer);
  const renew = async (): Promise<void> => {
    if (isRenewing) return;
    isRenewing = true;
    const isHeld = await store.renew(lease, ttlMs).catch(() => Date.now() - renewedAt < ttlMs);
    isRenewing = false;
    if (!isHeld) {
      stop();
      onLost();
      return;
    }
    renewedAt = Date.now();
  };
  const everyMs = Math.min(Math.max(1, Math.floor(ttlMs / 3)), LONGEST_TIMER_MS);
  const timer = setInterval(() => void renew(), everyMs);
  timer.unref();
  return stop;
}
