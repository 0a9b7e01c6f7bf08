import { Inject, Injectable, Optional } from '@nestjs/common';
import { ApplicationConfig, ModuleRef } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper';
import { methodOf } from '../../schema';
import type { DiscoveredTool } from '../../discovery';
import type { JsonObject } from '../../message';
import type { Tool, ToolInvocation } from '../../tool';
import type { ValidationOptions } from './provider-options.interface';
import { CallWatches } from '../call';
import { ArgumentBinder } from './argument.binder';
import { ArgumentFiller } from './argument.filler';
import { EnhancerResolver, type EnhancersOfAll, ScopedInstances } from '../enhancers';
import { planMethod } from './parameter.planner';
import { PresetRules } from './preset-rules';
import { cacheableWith } from './preset-values';
import { ProviderCall, type ProviderMethod } from './provider-call';
import { describedAs, type MethodDeclaration, nameOf, outlineOf } from './tool-description';

/** Injection token of the module's `context`: instances injected by type. */
export const CONTEXT_INSTANCES = Symbol('nestjs-agent:context-instances');

/** Injection token of the module's `validation` options. */
export const VALIDATION_OPTIONS = Symbol('nestjs-agent:validation-options');

/** A method of a provider, or of an instance outside the container. */
type ProviderToolSource = MethodDeclaration & {
  readonly instance?: object;
  readonly wrapper?: InstanceWrapper;
};

/**
 * Creates tools from providers' methods. A call runs through the guards, interceptors, pipes and
 * filters of the application, the class and the method; see docs/decisions/0002.
 */
@Injectable()
export class ProviderInvoker {
  private readonly application: EnhancersOfAll;

  constructor(
    config: ApplicationConfig,
    moduleRef: ModuleRef,
    private readonly presets: PresetRules,
    @Optional() @Inject(CONTEXT_INSTANCES) private readonly context: readonly object[] = [],
    @Optional() @Inject(VALIDATION_OPTIONS) private readonly validation: ValidationOptions = {},
    @Optional() private readonly watches?: CallWatches,
  ) {
    this.application = { config, moduleRef, instances: new ScopedInstances(moduleRef) };
  }

  /** @throws ToolDeclarationError naming class and method */
  buildProviderTool(source: DiscoveredTool | ProviderToolSource): Tool {
    const { host, methodName, options } = source;
    const name = nameOf(source);
    const description = describedAs(source);
    const handler = methodOf(host, methodName);
    if (handler === undefined) throw new TypeError(`${host.name} has no method "${methodName}".`);
    const instances = [...this.context, ...(source.toolkit?.context ?? [])];
    const presets = this.presets.of(name);
    const plan = planMethod({
      source: source.source,
      host,
      methodName,
      options,
      instances,
      presets,
      groups: this.validation.groups ?? [],
    });
    const binder = new ArgumentBinder(plan);
    const enhancers = new EnhancerResolver({ ...source, handler }, this.application);
    const method: ProviderMethod = {
      ...source,
      handler,
      enhancers,
      filler: new ArgumentFiller(plan.parameters, enhancers, instances),
      application: this.application,
      watches: this.watches,
    };
    return {
      ...outlineOf(source, { name, description, input_schema: plan.inputSchema }),
      ...cacheableWith(presets),
      kind: 'provider',
      normalize: (input: JsonObject) => binder.normalize(input),
      bind: (input: JsonObject) => binder.bind(input),
      invoke: (invocation: ToolInvocation) => new ProviderCall(method, invocation).run(),
      authorize: (invocation: ToolInvocation) => new ProviderCall(method, invocation).authorize(),
    };
  }
}
