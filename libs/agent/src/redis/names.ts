/** The keys and channels of a run. Its id is the hash tag, so a cluster keeps all in one slot. */
export interface RunNames {
  /** The stream of its events. */
  readonly events: string;
  /** The hash with its state. */
  readonly state: string;
  /** The channel that notifies its readers. */
  readonly wake: string;
  /** The channel of its signals. */
  readonly signals: string;
}

export function namesOf(prefix: string, runId: string): RunNames {
  const run = `${prefix}:{${runId}}`;
  return {
    events: `${run}:ev`,
    state: `${run}:at`,
    wake: `${run}:wake`,
    signals: `${run}:to`,
  };
}
