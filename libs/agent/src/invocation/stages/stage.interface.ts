import type { Execution } from '../call';

/** What lies further in: the rest of the stages and, at the end, the tool. */
export type NextStage = (signal?: AbortSignal) => Promise<unknown>;

/**
 * One rule that every execution of a call passes. It answers the tool's raw result or throws, and
 * may call `next` never, once or several times.
 */
export interface Stage {
  /** @param signal aborted when the call is to stop; missing where nobody can stop it */
  run(execution: Execution, signal: AbortSignal | undefined, next: NextStage): Promise<unknown>;
}

/** The innermost step. */
export type LastStage = (execution: Execution, signal?: AbortSignal) => Promise<unknown>;

/** Chains stages, the first one outermost. */
export function chain(stages: readonly Stage[], last: LastStage): LastStage {
  return stages.reduceRight<LastStage>(
    (inner, stage) => (execution, signal) =>
      stage.run(execution, signal, (innerSignal) => inner(execution, innerSignal)),
    last,
  );
}
