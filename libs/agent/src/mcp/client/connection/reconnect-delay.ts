const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/** The pause in milliseconds after some failures: 1 s to 60 s, shortened at random by up to half. */
export function pauseAfter(failures: number): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10));
  return whole * (1 - Math.random() / 2);
}
