/** The queue of runs, for hooks that query its length. */
export interface ObservedQueue {
  /**
   * The number of runs that wait for a worker, in all processes, including those that were returned
   * with a delay; `undefined` if the queue does not answer within a second.
   */
  depth(): Promise<number | undefined>;
  /** Aborts when this process leaves the queue. */
  readonly closing: AbortSignal;
}
