import { Inject, Injectable, Optional } from '@nestjs/common';
import { ToolError, type Tool } from '../tool';
import {
  AWAITED,
  CallInterruptedError,
  DEFAULT_TOOL_DEFAULTS,
  type Delivery,
  type Execution,
  inspectable,
  type Settlement,
  type ToolDefaults,
} from './call';
import { TOOL_DEFAULTS, TOOL_INTERCEPTORS } from './invocation.constants';
import { ResultConverter } from './result';
import {
  Breaker,
  cacheStage,
  chain,
  interceptorStage,
  invokeTool,
  type LastStage,
  retryStage,
  timeoutStage,
  type ToolInterceptor,
} from './stages';

/**
 * Executes checked calls: runs the stages and the tool, and converts the result to a settlement.
 */
@Injectable()
export class ToolExecutor {
  private readonly breaker = new Breaker();
  private readonly converter: ResultConverter;
  private readonly stages: LastStage;

  constructor(
    @Optional() @Inject(TOOL_DEFAULTS) defaults: ToolDefaults = DEFAULT_TOOL_DEFAULTS,
    @Optional() @Inject(TOOL_INTERCEPTORS) interceptors: readonly ToolInterceptor[] = [],
  ) {
    this.converter = new ResultConverter(defaults);
    const timeout = timeoutStage(defaults);
    this.stages = chain(
      [
        ...interceptors.map((interceptor) => interceptorStage(interceptor, defaults)),
        cacheStage(timeout),
        this.breaker.stage,
        retryStage(defaults),
        timeout,
      ],
      invokeTool,
    );
  }

  /** Never rejects. Returns nothing if the call waits for an external answer. */
  async execute(execution: Execution): Promise<Settlement | undefined> {
    const { tool, callContext } = execution;
    try {
      const { signal } = callContext;
      if (signal?.aborted === true) throw new CallInterruptedError(false);
      const result = await this.stages(execution, signal);
      const isAwaited = tool.answer?.from === 'external' || result === AWAITED;
      return isAwaited ? undefined : this.converter.answered(tool, result);
    } catch (error) {
      const { committed } = execution;
      return committed && inspectable(error) instanceof CallInterruptedError
        ? this.converter.answered(tool, committed.result)
        : this.refused(error, tool);
    }
  }

  /** The settlement of a failed or refused call. */
  refused(error: unknown, tool?: Tool): Settlement {
    return this.converter.threw(error, tool?.source);
  }

  /** The settlement of a delivered result. */
  delivered(delivery: Delivery, tool?: Tool): Settlement {
    if (delivery.type === 'error') return this.refused(new ToolError(delivery.message));
    try {
      return this.converter.answered(tool, delivery.result);
    } catch (error) {
      return this.refused(error, tool);
    }
  }

  /** Drops the state of a removed session. */
  forget(sessionId: string): void {
    this.breaker.forget(sessionId);
  }
}
