/** How long a model call took, without the waits of other calls. */
export interface StepTiming {
  /** Milliseconds from the request to the end of the answer. */
  readonly totalMs: number;
  /** Milliseconds from the request to the first piece of the answer; missing where none came. */
  readonly firstTokenMs?: number;
}
