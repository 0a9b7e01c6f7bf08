import type { Execution } from '../call/execution';
import { LiveToolContext } from '../call/live-tool-context';
import { untilAborted } from './until-aborted';
import type { NextStage, Stage } from './stage.interface';
import type { ToolInterceptor } from './tool-interceptor.interface';

/** Makes a stage of an application's own interceptor. */
export class InterceptorStage implements Stage {
  constructor(private readonly interceptor: ToolInterceptor) {}

  run(execution: Execution, signal: AbortSignal | undefined, next: NextStage): Promise<unknown> {
    const { call, callContext } = execution;
    const context = new LiveToolContext(call, signal, callContext);
    const intercept = async () =>
      await this.interceptor.intercept(call, context, () => next(signal));
    // What an application waits for need not listen to the signal.
    return untilAborted(intercept(), signal);
  }
}
