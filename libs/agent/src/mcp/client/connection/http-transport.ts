import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { LONGEST_TIMER_MS } from '../../../internal';
import { DEPTH_HEADER } from '../../../invocation';
import { isReservedHeader, type McpClientHttpOptions } from '../options';
import { loadPeer } from './load-peer';
import type { OutgoingScope } from './outgoing';
import { pauseAfter } from './reconnect-delay';
import { boundedResponse } from './response-bounds';

/** Attempts to resume a stream before the connection counts as lost. */
const RESUMPTIONS = 3;

/** The transport of one connection over Streamable HTTP. */
export function httpTransport(
  { url, authProvider }: McpClientHttpOptions,
  scope: OutgoingScope,
  lost: () => void,
): StreamableHTTPClientTransport {
  const peer = loadPeer();
  const { origin } = new URL(url);
  return new peer.StreamableHTTPClientTransport(new URL(url), {
    fetch: (target, init) => guardedFetch(target, init, origin, scope),
    // The transport gives up silently after `maxRetries`, so the scheduler below gives up first.
    // Its own pauses are 0; only those that the server asks for remain.
    reconnectionOptions: {
      initialReconnectionDelay: 0,
      maxReconnectionDelay: 0,
      reconnectionDelayGrowFactor: 1,
      maxRetries: RESUMPTIONS + 1,
    },
    reconnectionScheduler: (reconnect, askedMs, attempt) => {
      if (attempt >= RESUMPTIONS) return lost();
      // The server may ask for a longer pause, but not for a loop without one.
      const pauseMs = Math.min(Math.max(askedMs, pauseAfter(attempt)), LONGEST_TIMER_MS);
      const timer = setTimeout(reconnect, pauseMs).unref();
      return () => clearTimeout(timer);
    },
    ...(authProvider !== undefined && { authProvider: authProvider as never }),
  });
}

/**
 * Sends the configured headers to the server's own origin only. The transport uses the same `fetch`
 * for authorization servers and for redirects.
 */
async function guardedFetch(
  target: string | URL,
  init: RequestInit | undefined,
  origin: string,
  scope: OutgoingScope,
): Promise<Response> {
  const outgoing = scope.get();
  const headers = new Headers(init?.headers);
  if (outgoing !== undefined && new URL(target).origin === origin) {
    for (const [name, value] of Object.entries(await outgoing.headers())) {
      if (!isReservedHeader(name) && !headers.has(name)) headers.set(name, value);
    }
    if (outgoing.depth !== undefined) headers.set(DEPTH_HEADER, String(outgoing.depth));
  }
  // An authProvider's tokens are known only here.
  const authorization = headers.get('authorization');
  if (authorization !== null) outgoing?.authorized(authorization);
  const response = await fetch(target, { ...init, headers });
  // Servers of older revisions may fail at it; the client begins with their handshake only after a 4xx.
  if (response.status === 500 && headers.get('mcp-method') === 'server/discover') {
    Object.defineProperty(response, 'status', { value: 400 });
  }
  const isCall = init?.method === 'POST';
  const ended = (canResume: boolean): void => {
    if (isCall && !canResume) outgoing?.streamEnded?.();
  };
  // A stream that the handshake opens outlives it.
  return boundedResponse(response, ended, isCall ? outgoing?.maxMessageBytes : undefined);
}
