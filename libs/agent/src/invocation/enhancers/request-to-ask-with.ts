import { REQUEST_CONTEXT_ID } from '@nestjs/core/router/request/request-constants';

/**
 * The chat request for guards that are checked before a call: changes stay on this copy,
 * request-scoped providers are new, and a route's arguments are empty, because the chat's are not
 * the route's.
 */
export function requestToAskWith(chatRequest: unknown, isRoute: boolean): unknown {
  if (typeof chatRequest !== 'object' || chatRequest === null) return chatRequest;
  const { raw } = chatRequest as { readonly raw?: unknown };
  return derived(chatRequest, {
    // On Fastify the scope may be on Node's request.
    ...(typeof raw === 'object' && raw !== null && { raw: derived(raw, {}) }),
    ...(isRoute && { params: {}, query: {}, body: {} }),
  });
}

function derived(request: object, fields: Readonly<Record<string, unknown>>): object {
  const result = Object.create(request) as object;
  // Defined, not assigned: on Fastify some are getters.
  const define = (key: PropertyKey, value: unknown) =>
    Object.defineProperty(result, key, { value, writable: true, configurable: true });
  for (const [key, value] of Object.entries(fields)) define(key, value);
  define(REQUEST_CONTEXT_ID, undefined);
  return result;
}
