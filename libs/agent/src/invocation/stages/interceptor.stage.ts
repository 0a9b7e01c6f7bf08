import type { Execution } from '../call/execution';
import { LiveToolContext } from '../call/live-tool-context';
import type { NextStage, Stage } from './stage.interface';
import type { ToolInterceptor } from './tool-interceptor.interface';

/** Makes a stage of an application's own interceptor. */
export class InterceptorStage implements Stage {
  constructor(private readonly interceptor: ToolInterceptor) {}

  async run(
    execution: Execution,
    signal: AbortSignal | undefined,
    next: NextStage,
  ): Promise<unknown> {
    const { call, callContext } = execution;
    const context = new LiveToolContext(call, signal, callContext);
    return await this.interceptor.intercept(call, context, () => next(signal));
  }
}
