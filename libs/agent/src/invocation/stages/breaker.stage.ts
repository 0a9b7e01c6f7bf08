import { LRUCache } from 'lru-cache';
import { CallInterruptedError, type Execution, isTransient, ToolUnavailableError } from '../call';
import type { NextStage, Stage } from './stage.interface';

const FAILURES_IN_A_ROW = 3;
const OPEN_MS = 5 * 60_000;
/** Sessions whose failures are remembered; beyond it the longest untouched is forgotten. */
const SESSIONS = 10_000;

/** A tool that has failed and not worked since. */
interface Trouble {
  failures: number;
  /** When a call may try again; before it all are refused. */
  openUntil: number;
}

/**
 * Leaves a tool alone that failed three calls in a row in one session, for five minutes; then one
 * call tries whether it works again. Only tools that fail are remembered. Calls outside a session
 * are not counted.
 */
export class BreakerStage implements Stage {
  private readonly sessions = new LRUCache<string, Map<string, Trouble>>({ max: SESSIONS });

  async run(
    execution: Execution,
    signal: AbortSignal | undefined,
    next: NextStage,
  ): Promise<unknown> {
    const { sessionId } = execution.callContext;
    if (sessionId === undefined) return next(signal);
    const { name } = execution.tool.definition;
    const trouble = this.sessions.get(sessionId)?.get(name);
    const isTrial = trouble !== undefined && trouble.failures >= FAILURES_IN_A_ROW;
    if (isTrial) {
      if (Date.now() < trouble.openUntil) throw new ToolUnavailableError(name);
      // The others wait for what comes of this one.
      trouble.openUntil = Infinity;
    }
    try {
      const value = await next(signal);
      this.forgetTool(sessionId, name);
      return value;
    } catch (error) {
      if (isTransient(error)) this.countFailure(sessionId, name);
      else if (!(error instanceof CallInterruptedError)) this.forgetTool(sessionId, name);
      else if (isTrial) trouble.openUntil = 0;
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

  private countFailure(sessionId: string, name: string): void {
    const troubles = this.sessions.get(sessionId) ?? new Map<string, Trouble>();
    const failures = (troubles.get(name)?.failures ?? 0) + 1;
    const openUntil = failures < FAILURES_IN_A_ROW ? 0 : Date.now() + OPEN_MS;
    this.sessions.set(sessionId, troubles.set(name, { failures, openUntil }));
  }

  private forgetTool(sessionId: string, name: string): void {
    const troubles = this.sessions.get(sessionId);
    if (troubles === undefined) return;
    troubles.delete(name);
    if (troubles.size === 0) this.sessions.delete(sessionId);
  }
}
