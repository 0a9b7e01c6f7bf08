import { Inject, Injectable, Optional } from '@nestjs/common';
import { ToolError, type Tool } from '../tool';
import {
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
  BreakerStage,
  CacheStage,
  chain,
  InterceptorStage,
  invokeTool,
  type LastStage,
  RetryStage,
  TimeoutStage,
  type ToolInterceptor,
} from './stages';

/** Carries checked calls out: through the stages to the tool, and back as a settlement. */
@Injectable()
export class ToolExecutor {
  private readonly breaker = new BreakerStage();
  private readonly converter: ResultConverter;
  private readonly stages: LastStage;

  constructor(
    @Optional() @Inject(TOOL_DEFAULTS) defaults: ToolDefaults = DEFAULT_TOOL_DEFAULTS,
    @Optional() @Inject(TOOL_INTERCEPTORS) interceptors: readonly ToolInterceptor[] = [],
  ) {
    this.converter = new ResultConverter(defaults);
    const timeout = new TimeoutStage(defaults);
    this.stages = chain(
      [
        ...interceptors.map((interceptor) => new InterceptorStage(interceptor)),
        new CacheStage(timeout),
        this.breaker,
        new RetryStage(defaults),
        timeout,
      ],
      invokeTool,
    );
  }

  /** Never rejects. Answers nothing where the tool has asked somebody else. */
  async execute(execution: Execution): Promise<Settlement | undefined> {
    const { tool, callContext } = execution;
    try {
      const { signal } = callContext;
      if (signal?.aborted === true) throw new CallInterruptedError(false);
      const result = await this.stages(execution, signal);
      return tool.answer?.from === 'external' ? undefined : this.converter.answered(tool, result);
    } catch (error) {
      const { committed } = execution;
      return committed && inspectable(error) instanceof CallInterruptedError
        ? this.converter.answered(tool, committed.result)
        : this.refused(error, tool);
    }
  }

  /** The settlement of a call that something kept from succeeding. */
  refused(error: unknown, tool?: Tool): Settlement {
    return this.converter.threw(error, tool?.source);
  }

  /** The settlement of a call whose result came from outside. */
  delivered(delivery: Delivery, tool?: Tool): Settlement {
    if (delivery.type === 'error') return this.refused(new ToolError(delivery.message));
    try {
      return this.converter.answered(tool, delivery.result);
    } catch (error) {
      return this.refused(error, tool);
    }
  }

  /** A session is over: nothing of it is remembered. */
  forget(sessionId: string): void {
    this.breaker.forget(sessionId);
  }

  /** How many sessions have a tool that has failed and not worked since. */
  get troubledSessions(): number {
    return this.breaker.size;
  }
}
