import { CallInterruptedError, type Execution, LiveToolContext, untilAborted } from '../call';
import type { NextStage, Stage } from './stage.interface';
import type { ToolInterceptor } from './tool-interceptor.interface';

/** Runs an application's interceptor as a stage. */
export function interceptorStage(interceptor: ToolInterceptor): Stage {
  return (execution, signal, next) => {
    const { call, callContext } = execution;
    const context = new LiveToolContext(call, signal, callContext);
    const goOn = () => {
      const outcome = enter(execution, signal, next);
      // Prevents an unhandled rejection if the interceptor does not await it.
      outcome.catch(() => undefined);
      return outcome;
    };
    const intercept = async () => await interceptor.intercept(call, context, goOn);
    // The application's code may ignore the signal.
    return untilAborted(intercept(), signal);
  };
}

/** Refuses to start the tool after the call has ended. */
async function enter(
  { call, response }: Execution,
  signal: AbortSignal | undefined,
  next: NextStage,
): Promise<unknown> {
  if (signal?.aborted === true) throw new CallInterruptedError(response.attempts > 0);
  if (response.status !== 'executing') {
    throw new Error(
      `"${call.name}" already has its result: an interceptor called next() too late.`,
    );
  }
  return next(signal);
}
