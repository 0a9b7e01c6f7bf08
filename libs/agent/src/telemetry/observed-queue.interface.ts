/** The queue of runs, as a hook may ask for its length. */
export interface ObservedQueue {
  /**
   * How many runs wait for a worker in all processes, those that were given back with a delay
   * included; `undefined` if the queue does not answer within a second.
   */
  depth(): Promise<number | undefined>;
  /** Aborts when this process leaves the queue. */
  readonly closing: AbortSignal;
}
