import type { IncomingMessage, ServerResponse } from 'node:http';

/** Node's request behind Express's or Fastify's. */
export function nodeRequest(request: unknown): IncomingMessage {
  const { raw } = request as { raw?: IncomingMessage };
  return raw ?? (request as IncomingMessage);
}

/** Node's response behind Express's or Fastify's. */
export function nodeResponse(response: unknown): ServerResponse {
  const { raw } = response as { raw?: ServerResponse };
  return raw ?? (response as ServerResponse);
}

/** A header's value; the first one if it was sent several times. */
export function headerOf(request: unknown, name: string): string | undefined {
  const value = nodeRequest(request).headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The query of the URL itself: the application may configure the framework's query parser. */
export function queryOf(request: unknown): URLSearchParams {
  const [, query = ''] = /\?(.*)/.exec(nodeRequest(request).url ?? '') ?? [];
  return new URLSearchParams(query);
}

/** The framework's parsed body of the request. */
export function bodyOf(request: unknown): unknown {
  return (request as { body?: unknown }).body;
}
