import {
  CallInterruptedError,
  type Execution,
  LiveToolContext,
  type ToolDefaults,
  ToolTimeoutError,
  untilAborted,
} from '../call';
import { raceAbort, LONGEST_TIMER_MS } from '../../internal';
import { ANSWER_MS } from './in-time';
import type { NextStage, Stage } from './stage.interface';
import type { ToolInterceptor } from './tool-interceptor.interface';

/** Runs an application's interceptor as a stage. */
export function interceptorStage(
  interceptor: ToolInterceptor,
  defaults: Pick<ToolDefaults, 'timeoutMs'>,
): Stage {
  return async (execution, signal, next) => {
    const { call, tool, callContext, response } = execution;
    const context = new LiveToolContext(call, signal, callContext);
    const limitMs = Math.max(ANSWER_MS, tool.timeoutMs ?? defaults.timeoutMs);
    const own = new OwnTime(limitMs);
    const goOn = () => {
      const outcome = own.waitFor(enter(execution, own.over, signal, next));
      // Prevents an unhandled rejection if the interceptor does not await it.
      outcome.catch(() => undefined);
      return outcome;
    };
    const intercept = async () => await interceptor.intercept(call, context, goOn);
    const isHarmless = () => response.attempts === 0 || tool.traits.readOnly;
    try {
      // The application's code may ignore the signal.
      return await raceAbort(
        untilAborted(intercept(), signal),
        own.over,
        () => new ToolTimeoutError(limitMs, isHarmless(), 'An interceptor of the tool'),
      );
    } finally {
      own.close();
    }
  };
}

/** Refuses to start the tool after the call, or the interceptor's time, has ended. */
async function enter(
  { call, response }: Execution,
  over: AbortSignal,
  signal: AbortSignal | undefined,
  next: NextStage,
): Promise<unknown> {
  if (signal?.aborted === true) throw new CallInterruptedError(response.attempts > 0);
  if (response.status !== 'executing' || over.aborted) {
    throw new Error(
      `"${call.name}" already has its result: an interceptor called next() too late.`,
    );
  }
  return next(signal);
}

/** Limits the time of an application's code, without its waits. */
class OwnTime {
  private readonly end = new AbortController();
  /** Aborted when the time is over. */
  readonly over = this.end.signal;
  private readonly limitMs: number;
  private timer: NodeJS.Timeout | undefined;
  private waits = 0;

  constructor(limitMs: number) {
    this.limitMs = Math.min(limitMs, LONGEST_TIMER_MS);
    this.begin();
  }

  /** Waits while the timer is stopped; it restarts afterwards. */
  async waitFor<T>(work: Promise<T>): Promise<T> {
    this.stop();
    this.waits += 1;
    try {
      return await work;
    } finally {
      this.waits -= 1;
      if (this.waits === 0) this.begin();
    }
  }

  /** Stops counting for good. */
  close(): void {
    this.waits = Infinity;
    this.stop();
  }

  private begin(): void {
    this.timer = setTimeout(() => this.end.abort(), this.limitMs);
  }

  private stop(): void {
    clearTimeout(this.timer);
  }
}
