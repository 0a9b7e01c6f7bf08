import { LRUCache } from 'lru-cache';
import { CallInterruptedError, isTransient, ToolUnavailableError } from '../call';
import type { Stage } from './stage.interface';

const FAILURES_IN_A_ROW = 3;
const OPEN_MS = 5 * 60_000;
/** The maximum number of sessions with failures; above it the least recently used is dropped. */
const SESSIONS = 10_000;

/** A tool whose last call failed. */
interface Trouble {
  failures: number;
  /** Time of the next allowed call. */
  openUntil: number;
}

/**
 * Circuit breaker: pauses a tool for five minutes after three failed calls in a row in one session;
 * then one call tests it. Calls outside a session are not counted.
 */
export class Breaker {
  /** Made with the first failure: even an empty one takes 0.4 MB, and every agent has one. */
  private sessions?: LRUCache<string, Map<string, Trouble>>;

  readonly stage: Stage = async (execution, signal, next) => {
    const { sessionId } = execution.callContext;
    if (sessionId === undefined) return next(signal);
    const { name } = execution.tool.definition;
    const trouble = this.sessions?.get(sessionId)?.get(name);
    const isTrial = trouble !== undefined && trouble.failures >= FAILURES_IN_A_ROW;
    if (isTrial) {
      if (Date.now() < trouble.openUntil) throw new ToolUnavailableError(name);
      // Other calls are refused until this one ends.
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
  };

  /** Drops the state of a removed session. */
  forget(sessionId: string): void {
    this.sessions?.delete(sessionId);
  }

  private countFailure(sessionId: string, name: string): void {
    this.sessions ??= new LRUCache({ max: SESSIONS });
    const troubles = this.sessions.get(sessionId) ?? new Map<string, Trouble>();
    const failures = (troubles.get(name)?.failures ?? 0) + 1;
    const openUntil = failures < FAILURES_IN_A_ROW ? 0 : Date.now() + OPEN_MS;
    this.sessions.set(sessionId, troubles.set(name, { failures, openUntil }));
  }

  private forgetTool(sessionId: string, name: string): void {
    const troubles = this.sessions?.get(sessionId);
    if (troubles === undefined) return;
    troubles.delete(name);
    if (troubles.size === 0) this.forget(sessionId);
  }
}
