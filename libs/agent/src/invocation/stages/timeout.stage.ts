import { LONGEST_TIMER_MS, raceAbort } from '../../internal';
import { CallInterruptedError, type ToolDefaults, ToolTimeoutError } from '../call';
import type { Stage } from './stage.interface';

/** Limits each attempt's time, with a signal that aborts on timeout or cancel. */
export function timeoutStage(defaults: Pick<ToolDefaults, 'timeoutMs'>): Stage {
  return async (execution, signal, next) => {
    const { tool } = execution;
    const timeoutMs = Math.min(tool.timeoutMs ?? defaults.timeoutMs, LONGEST_TIMER_MS);
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    const timer = setTimeout(stop, timeoutMs);
    signal?.addEventListener('abort', stop);
    if (signal?.aborted === true) stop();
    let timedOut: ToolTimeoutError | undefined;
    try {
      return await raceAbort(next(attempt.signal), attempt.signal, () =>
        signal?.aborted === true
          ? new CallInterruptedError()
          : (timedOut = new ToolTimeoutError(timeoutMs, tool.traits.readOnly)),
      );
    } catch (error) {
      // Another tool's time-out, which this one throws on, is its own failure.
      if (timedOut === undefined || error !== timedOut || !execution.committed) throw error;
      return execution.committed.result;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  };
}
