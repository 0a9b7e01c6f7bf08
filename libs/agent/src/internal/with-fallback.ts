/** The result of some work, or the fallback if it throws. */
export function withFallback<T, Fallback = T>(work: () => T, fallback: Fallback): T | Fallback {
  try {
    return work();
  } catch {
    return fallback;
  }
}
