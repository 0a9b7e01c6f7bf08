import type { TimeoutPolicy } from 'cockatiel';
import { LONGEST_TIMER_MS } from '../../internal';
import { CallInterruptedError, type ToolDefaults, ToolTimeoutError } from '../call';
import type { Stage } from './stage.interface';

/** Limits each attempt's time, with a signal that aborts on timeout or cancel. */
export function timeoutStage(defaults: Pick<ToolDefaults, 'timeoutMs'>): Stage {
  const cockatiel = require('cockatiel') as typeof import('cockatiel');
  // One policy per duration: policies are stateless.
  const policies = new Map<number, TimeoutPolicy>();
  const policyFor = (timeoutMs: number): TimeoutPolicy => {
    const known = policies.get(timeoutMs);
    if (known !== undefined) return known;
    const policy = cockatiel.timeout(timeoutMs, {
      strategy: cockatiel.TimeoutStrategy.Aggressive,
      // The result may be a stream that uses the signal.
      abortOnReturn: false,
    });
    policies.set(timeoutMs, policy);
    return policy;
  };
  return async (execution, signal, next) => {
    const { tool } = execution;
    const timeoutMs = Math.min(tool.timeoutMs ?? defaults.timeoutMs, LONGEST_TIMER_MS);
    try {
      return await policyFor(timeoutMs).execute((context) => next(context.signal), signal);
    } catch (error) {
      if (!(error instanceof cockatiel.TaskCancelledError)) throw error;
      if (signal?.aborted === true) throw new CallInterruptedError();
      if (execution.committed) return execution.committed.result;
      throw new ToolTimeoutError(timeoutMs, tool.traits.readOnly);
    }
  };
}
