import { Injectable, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper';
import { toolkitMetadataOf, toolMetadataOf, toolMethodsOf } from '../../decorators';
import type { ToolkitBuilder } from '../../registry';
import { BootReport, type Tool, ToolDeclarationError } from '../../tool';
import { GuardProbe } from '../enhancers';
import { PresetRules, ProviderInvoker } from '../provider';
import { assertOptions } from './tool.builder';
import { reportWarnings } from './tool-warnings';

/** Creates tools of toolkits that are registered at run time. */
@Injectable()
export class ProviderToolkitBuilder implements ToolkitBuilder {
  constructor(
    private readonly invoker: ProviderInvoker,
    private readonly modules: ModulesContainer,
    private readonly guards: GuardProbe,
    private readonly report: BootReport,
    private readonly presets: PresetRules,
  ) {}

  build(instance: object): readonly Tool[] {
    const host = instance.constructor as Type<unknown>;
    const methods = toolMethodsOf(host);
    if (methods.length === 0) {
      throw new ToolDeclarationError(
        `${host.name} has no tools. Decorate its methods with @Tool().`,
      );
    }
    const wrapper = this.wrapperOf(instance);
    const toolkit = toolkitMetadataOf(host);
    return methods.map((methodName) => {
      const method = {
        host,
        instance,
        methodName,
        options: toolMetadataOf(host, methodName) ?? {},
        source: `${host.name}.${methodName}`,
        ...(toolkit && { toolkit }),
        ...(wrapper && { wrapper }),
      };
      assertOptions(method);
      const tool = this.invoker.buildProviderTool(method);
      reportWarnings(this.report, tool, method);
      return this.guards.withGuards(tool, method);
    });
  }

  complete(tool: Tool): Tool {
    return this.presets.complete(tool);
  }

  /** A registered provider belongs to a module, which knows its enhancers. */
  private wrapperOf(instance: object): InstanceWrapper | undefined {
    for (const module of this.modules.values()) {
      for (const wrapper of module.providers.values()) {
        if (!wrapper.isNotMetatype && wrapper.instance === instance) return wrapper;
      }
    }
    return undefined;
  }
}
