import { type ContextId, ContextIdFactory, type ModuleRef } from '@nestjs/core';

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
