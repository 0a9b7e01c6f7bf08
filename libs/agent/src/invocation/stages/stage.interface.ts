import type { Execution } from '../call';

/** The remaining stages and the tool. */
export type NextStage = (signal?: AbortSignal) => Promise<unknown>;

/**
 * One stage of every execution. Returns the tool's raw result or throws; may call `next` never,
 * once or several times.
 *
 * @param signal aborts the call; missing if the call cannot be stopped
 */
export type Stage = (
  execution: Execution,
  signal: AbortSignal | undefined,
  next: NextStage,
) => Promise<unknown>;

/** The innermost step. */
export type LastStage = (execution: Execution, signal?: AbortSignal) => Promise<unknown>;

/** Chains stages, the first one outermost. */
export function chain(stages: readonly Stage[], last: LastStage): LastStage {
  return stages.reduceRight<LastStage>(
    (inner, stage) => (execution, signal) =>
      stage(execution, signal, (innerSignal) => inner(execution, innerSignal)),
    last,
  );
}
