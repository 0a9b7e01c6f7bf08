/** The current time in seconds since the epoch, the unit of OpenAI's protocols. */
export function secondsNow(): number {
  return Math.floor(Date.now() / 1_000);
}
