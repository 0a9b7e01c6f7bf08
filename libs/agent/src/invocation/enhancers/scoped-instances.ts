import type { ContextId } from '@nestjs/core';
import { Injector } from '@nestjs/core/injector/injector';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper';

type Collection = 'providers' | 'injectables';

/** Creates and finds one call's instances, by the injector's rules. */
export class ScopedInstances {
  private readonly injector = new Injector();

  /** @throws errors of the constructor or a dependency's */
  async get(
    wrapper: InstanceWrapper,
    collection: Collection,
    contextId: ContextId,
  ): Promise<object> {
    const module = wrapper.host;
    if (module === undefined) throw new Error(`${String(wrapper.name)} belongs to no module.`);
    const placeholder = (wrapper.instance ?? { constructor: wrapper.token }) as object;
    return this.injector.loadPerContext(
      placeholder,
      module,
      module[collection],
      contextId,
      wrapper,
    );
  }
}
