import { type ContextId, ContextIdFactory, type ModuleRef } from '@nestjs/core';

/**
 * The context that request-scoped and durable providers of one call are made in: that of the chat
 * request, or a fresh one without a request. `REQUEST` is then `undefined`.
 */
export function openCallScope(
  moduleRef: ModuleRef,
  request: unknown,
  isDurable: boolean,
): ContextId {
  if (typeof request !== 'object' || request === null) return ContextIdFactory.create();
  const contextId = ContextIdFactory.getByRequest(request);
  // As Nest's router does it: a durable tree is given the strategy's payload as its REQUEST.
  const hasOwnRequest = isDurable && contextId.payload !== undefined;
  moduleRef.registerRequestByContextId(
    hasOwnRequest ? contextId.payload : Object.assign(request, contextId.payload),
    contextId,
  );
  return contextId;
}
