import type { TimeoutPolicy } from 'cockatiel';
import { LONGEST_TIMER_MS } from '../../internal';
import { CallInterruptedError, type Execution, type ToolDefaults, ToolTimeoutError } from '../call';
import type { NextStage, Stage } from './stage.interface';

/** Gives each attempt its time, and a signal that is aborted when the time or the call is over. */
export class TimeoutStage implements Stage {
  private readonly cockatiel = require('cockatiel') as typeof import('cockatiel');
  // One policy per duration: policies hold no state of their own.
  private readonly policies = new Map<number, TimeoutPolicy>();

  constructor(private readonly defaults: Pick<ToolDefaults, 'timeoutMs'>) {}

  async run(
    execution: Execution,
    signal: AbortSignal | undefined,
    next: NextStage,
  ): Promise<unknown> {
    const { tool } = execution;
    const timeoutMs = Math.min(tool.timeoutMs ?? this.defaults.timeoutMs, LONGEST_TIMER_MS);
    try {
      return await this.policyFor(timeoutMs).execute((context) => next(context.signal), signal);
    } catch (error) {
      if (!(error instanceof this.cockatiel.TaskCancelledError)) throw error;
      if (signal?.aborted === true) throw new CallInterruptedError();
      if (execution.committed) return execution.committed.result;
      throw new ToolTimeoutError(timeoutMs, tool.traits.readOnly);
    }
  }

  private policyFor(timeoutMs: number): TimeoutPolicy {
    const known = this.policies.get(timeoutMs);
    if (known !== undefined) return known;
    const { timeout, TimeoutStrategy } = this.cockatiel;
    const policy = timeout(timeoutMs, {
      strategy: TimeoutStrategy.Aggressive,
      // A result may still be a stream that listens to its signal.
      abortOnReturn: false,
    });
    this.policies.set(timeoutMs, policy);
    return policy;
  }
}
