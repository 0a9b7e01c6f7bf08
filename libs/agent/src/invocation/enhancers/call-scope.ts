import { type ContextId, ContextIdFactory, type ModuleRef } from '@nestjs/core';
import { Injector } from '@nestjs/core/injector/injector';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper';

type Collection = 'providers' | 'injectables';

/** Leaves a class's enhancers to `EnhancerResolver`: a durable class's context has another `REQUEST`. */
class InstanceInjector extends Injector {
  override loadEnhancersPerContext(): Promise<void> {
    return Promise.resolve();
  }
}

/** Creates and finds one call's instances, by the injector's rules. */
export class ScopedInstances {
  private readonly injector = new InstanceInjector();

  constructor(private readonly moduleRef: ModuleRef) {}

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
      wrapper.isDependencyTreeDurable() ? this.durableScope(contextId) : contextId,
      wrapper,
    );
  }

  /**
   * As in Nest's router, a durable tree gets the strategy's payload as `REQUEST`: in a context of its
   * own, since guards and other calls of the same request read the request.
   */
  private durableScope(contextId: ContextId): ContextId {
    const { payload } = contextId;
    if (payload === undefined) return contextId;
    const own: ContextId = {
      ...contextId,
      getParent: (info) => {
        const parent = contextId.getParent?.(info) ?? contextId;
        return parent === contextId ? own : parent;
      },
    };
    this.moduleRef.registerRequestByContextId(payload, own);
    return own;
  }
}

/** The context of one call: that of the chat request, or a new one with `REQUEST` `undefined`. */
export function openCallScope(moduleRef: ModuleRef, request: unknown): ContextId {
  if (typeof request !== 'object' || request === null) return ContextIdFactory.create();
  const contextId = ContextIdFactory.getByRequest(request);
  moduleRef.registerRequestByContextId(Object.assign(request, contextId.payload), contextId);
  return contextId;
}
