import { REQUEST_CONTEXT_ID } from '@nestjs/core/router/request/request-constants';

/**
 * The chat request as guards see it that are asked before there is a call: whatever they set on it
 * stays there, request-scoped providers are made anew, and of a route it shows no arguments, for
 * those of the chat are not the route's.
 */
export function requestToAskWith(chatRequest: unknown, isRoute: boolean): unknown {
  if (typeof chatRequest !== 'object' || chatRequest === null) return chatRequest;
  const { raw } = chatRequest as { readonly raw?: unknown };
  return derived(chatRequest, {
    // On Fastify the scope may stand on Node's own request.
    ...(typeof raw === 'object' && raw !== null && { raw: derived(raw, {}) }),
    ...(isRoute && { params: {}, query: {}, body: {} }),
  });
}

function derived(request: object, fields: Readonly<Record<string, unknown>>): object {
  const result = Object.create(request) as object;
  // Defined, not assigned: on Fastify some of them are getters.
  const define = (key: PropertyKey, value: unknown) =>
    Object.defineProperty(result, key, { value, writable: true, configurable: true });
  for (const [key, value] of Object.entries(fields)) define(key, value);
  define(REQUEST_CONTEXT_ID, undefined);
  return result;
}
