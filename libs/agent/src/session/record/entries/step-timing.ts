/** How long a model call took, without waiting for other calls. */
export interface StepTiming {
  /** Milliseconds from the request to the end of the answer. */
  readonly totalMs: number;
  /** Milliseconds from the request to the first piece of the answer; missing if there was none. */
  readonly firstTokenMs?: number;
}
