import { DefaultValuePipe, type PipeTransform, type Type } from '@nestjs/common';
import type { ContextId } from '@nestjs/core';
import { ToolEmitter, type ToolContext, type ToolInvocation } from '../../tool';
import type { WatchedCall } from '../call';
import type { BoundArguments } from './argument.binder';
import { type EnhancerResolver, instanceOf } from '../enhancers';
import type { ArgumentPlan, ParameterPlan } from './parameter-plan';
import { PresetValues } from './preset-values';

/** Fills a method's parameters for one call: the model's arguments, injected values, presets. */
export class ArgumentFiller {
  private readonly presets = new PresetValues();

  constructor(
    private readonly parameters: readonly ParameterPlan[],
    private readonly enhancers: EnhancerResolver,
    /** The instances known at boot: the agent's, then the toolkit's. */
    private readonly instances: readonly object[],
  ) {}

  /**
   * @param watched the call's stages, if they are watched
   * @throws errors of pipes and presets
   */
  async fill(
    bound: BoundArguments,
    invocation: ToolInvocation,
    contextId: ContextId,
    watched?: WatchedCall,
  ): Promise<unknown[]> {
    const hasArguments = this.parameters.some(({ kind }) => kind === 'argument');
    const pipes = hasArguments ? await this.enhancers.resolve('pipe', contextId) : [];
    return Promise.all(
      this.parameters.map((parameter) =>
        parameter.kind === 'argument'
          ? this.argument(parameter, bound, invocation, pipes, contextId, watched)
          : this.injected(parameter, invocation),
      ),
    );
  }

  private async argument(
    plan: ArgumentPlan,
    bound: BoundArguments,
    invocation: ToolInvocation,
    shared: readonly PipeTransform[],
    contextId: ContextId,
    watched: WatchedCall | undefined,
  ): Promise<unknown> {
    const argument = bound.get(plan);
    const given = argument === undefined ? this.contextFor(plan, invocation) : undefined;
    if (given !== undefined) return given;
    const own = await this.enhancers.resolveAll('pipe', plan.pipes, contextId);
    // Pipes are skipped for an omitted argument, except pipes that set a default.
    if (argument === undefined && !own.some((pipe) => pipe instanceof DefaultValuePipe)) {
      return undefined;
    }
    const pipes = [...shared, ...own];
    if (pipes.length === 0) return argument?.value;
    let piped: unknown = argument?.sent;
    for (const pipe of pipes) {
      try {
        piped = await transformed(pipe, piped, plan);
      } catch (error) {
        watched?.fail(pipe.constructor.name);
        throw error;
      }
    }
    return plan.reader.afterPipes(argument?.sent, piped, argument?.value);
  }

  private contextFor(plan: ArgumentPlan, invocation: ToolInvocation): object | undefined {
    return plan.contextType && this.instanceFor(plan.contextType, invocation);
  }

  private injected(
    parameter: Exclude<ParameterPlan, ArgumentPlan>,
    invocation: ToolInvocation,
  ): unknown {
    const { context, callContext } = invocation;
    switch (parameter.kind) {
      case 'toolContext':
        return context;
      case 'emitter':
        return new ContextEmitter(context);
      case 'run':
        return callContext.run;
      case 'signal':
        return context.signal;
      case 'context':
        return this.instanceFor(parameter.type, invocation);
      case 'preset':
        return this.presets.of(parameter.name, parameter.value, context);
    }
  }

  private instanceFor(type: Type<unknown>, { callContext }: ToolInvocation): object | undefined {
    return instanceOf(type, callContext.context ?? []) ?? instanceOf(type, this.instances);
  }
}

/** The metadata that Nest passes to a pipe of `@Body('name')`. */
function transformed(pipe: PipeTransform, value: unknown, plan: ArgumentPlan): unknown {
  return pipe.transform(value, {
    type: 'body',
    metatype: plan.metatype,
    data: plan.name,
  });
}

class ContextEmitter extends ToolEmitter {
  constructor(private readonly context: ToolContext) {
    super();
  }

  emit(data: Parameters<ToolContext['emit']>[0]): void {
    this.context.emit(data);
  }
}
