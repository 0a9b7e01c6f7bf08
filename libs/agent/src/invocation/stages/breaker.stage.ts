import type { CircuitBreakerPolicy } from 'cockatiel';
import { LRUCache } from 'lru-cache';
import {
  CallInterruptedError,
  type Execution,
  isTransient,
  ToolUnavailableError,
  untilAborted,
} from '../call';
import type { NextStage, Stage } from './stage.interface';

const FAILURES_IN_A_ROW = 3;
const OPEN_MS = 5 * 60_000;
/** Sessions whose failures are remembered; beyond it the longest untouched is forgotten. */
const SESSIONS = 10_000;

/**
 * Leaves a tool alone that failed three calls in a row in one session, for five minutes; then one
 * call tries whether it works again. Only tools that fail are remembered. Calls outside a session
 * are not counted.
 */
export class BreakerStage implements Stage {
  private readonly cockatiel = require('cockatiel') as typeof import('cockatiel');
  private readonly sessions = new LRUCache<string, Map<string, CircuitBreakerPolicy>>({
    max: SESSIONS,
  });

  async run(
    execution: Execution,
    signal: AbortSignal | undefined,
    next: NextStage,
  ): Promise<unknown> {
    const { sessionId } = execution.callContext;
    if (sessionId === undefined) return next(signal);
    const { name } = execution.tool.definition;
    const breaker = this.sessions.get(sessionId)?.get(name);
    try {
      const isClosed =
        breaker === undefined || breaker.state === this.cockatiel.CircuitState.Closed;
      const value = await (isClosed
        ? next(signal)
        : untilAborted(
            breaker.execute(() => next(signal)),
            signal,
          ));
      this.forgetTool(sessionId, name);
      return value;
    } catch (error) {
      if (error instanceof this.cockatiel.BrokenCircuitError) throw new ToolUnavailableError(name);
      if (isTransient(error)) await this.countFailure(sessionId, name, error);
      else if (!(error instanceof CallInterruptedError)) this.forgetTool(sessionId, name);
      throw error;
    }
  }

  /** A session is over: nothing of it is remembered. */
  forget(sessionId: string): void {
    this.sessions.delete(sessionId);
  }

  /** How many sessions have a tool that fails. */
  get size(): number {
    return this.sessions.size;
  }

  private async countFailure(sessionId: string, name: string, error: unknown): Promise<void> {
    const breakers = this.sessions.get(sessionId) ?? new Map<string, CircuitBreakerPolicy>();
    const breaker = breakers.get(name) ?? this.newBreaker();
    this.sessions.set(sessionId, breakers.set(name, breaker));
    // A failed trial has been counted by the breaker itself.
    if (breaker.state !== this.cockatiel.CircuitState.Closed) return;
    const failed = () => Promise.reject(error instanceof Error ? error : new Error('failed'));
    await breaker.execute(failed).catch(() => undefined);
  }

  private forgetTool(sessionId: string, name: string): void {
    const breakers = this.sessions.get(sessionId);
    if (breakers === undefined) return;
    breakers.delete(name);
    if (breakers.size === 0) this.sessions.delete(sessionId);
  }

  private newBreaker(): CircuitBreakerPolicy {
    const { circuitBreaker, ConsecutiveBreaker, handleWhen } = this.cockatiel;
    return circuitBreaker(handleWhen(isTransient), {
      halfOpenAfter: OPEN_MS,
      breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
    });
  }
}
