/** Now, as OpenAI's protocols tell times: in seconds since the epoch. */
export function secondsNow(): number {
  return Math.floor(Date.now() / 1_000);
}
