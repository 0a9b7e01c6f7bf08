import { LONGEST_TIMER_MS } from '../../internal';
import type { RunBudget } from '../request';
import { type RunContext, stopRun } from './run-context';

/** Stops the run after the duration of its budget. Returns a function that clears the timer. */
export function limitDuration(run: RunContext, { durationMs }: RunBudget): () => void {
  if (durationMs === undefined) return () => undefined;
  const timer = setTimeout(() => stopRun(run, 'budget'), Math.min(durationMs, LONGEST_TIMER_MS));
  timer.unref();
  return () => clearTimeout(timer);
}
