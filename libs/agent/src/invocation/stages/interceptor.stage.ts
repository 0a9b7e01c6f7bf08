import { CallInterruptedError, type Execution, LiveToolContext, untilAborted } from '../call';
import type { NextStage, Stage } from './stage.interface';
import type { ToolInterceptor } from './tool-interceptor.interface';

/** Makes a stage of an application's own interceptor. */
export class InterceptorStage implements Stage {
  constructor(private readonly interceptor: ToolInterceptor) {}

  run(execution: Execution, signal: AbortSignal | undefined, next: NextStage): Promise<unknown> {
    const { call, callContext } = execution;
    const context = new LiveToolContext(call, signal, callContext);
    const goOn = () => {
      const outcome = enter(execution, signal, next);
      // An interceptor need not wait for it, and nobody else hears of it then.
      outcome.catch(() => undefined);
      return outcome;
    };
    const intercept = async () => await this.interceptor.intercept(call, context, goOn);
    // What an application waits for need not listen to the signal.
    return untilAborted(intercept(), signal);
  }
}

/** A call that was cancelled, or answered by the interceptor itself, is over: nothing starts late. */
async function enter(
  { call, response }: Execution,
  signal: AbortSignal | undefined,
  next: NextStage,
): Promise<unknown> {
  if (signal?.aborted === true) throw new CallInterruptedError(response.attempts > 0);
  if (response.status !== 'executing') {
    throw new Error(
      `"${call.name}" has its answer already: an interceptor called next() too late.`,
    );
  }
  return next(signal);
}
