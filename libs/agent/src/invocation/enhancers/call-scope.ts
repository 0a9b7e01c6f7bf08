import { type ContextId, ContextIdFactory, type ModuleRef } from '@nestjs/core';
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

/**
 * The context of one call's request-scoped and durable providers: that of the chat request, or a
 * new one with `REQUEST` `undefined`.
 */
export function openCallScope(
  moduleRef: ModuleRef,
  request: unknown,
  isDurable: boolean,
): ContextId {
  if (typeof request !== 'object' || request === null) return ContextIdFactory.create();
  const contextId = ContextIdFactory.getByRequest(request);
  // As in Nest's router: a durable tree gets the strategy's payload as `REQUEST`.
  const hasOwnRequest = isDurable && contextId.payload !== undefined;
  moduleRef.registerRequestByContextId(
    hasOwnRequest ? contextId.payload : Object.assign(request, contextId.payload),
    contextId,
  );
  return contextId;
}
