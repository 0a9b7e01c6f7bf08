import type { RunEncoder } from './run.encoder';

/** The headers of an event stream; they keep proxies from buffering or changing it. */
export const SSE_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-store, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** A comment that clients skip. @see https://html.spec.whatwg.org/multipage/server-sent-events.html */
export const SSE_HEARTBEAT = ': keep-alive\n\n';

/** Makes an `EventSource` reconnect soon, with the number of its last event. */
export const SSE_RETRY = 'retry: 500\n\n';

/**
 * The library's own protocol: one frame per event. JSON has no line breaks, so `data` is one line.
 */
export const eventEncoder: RunEncoder = {
  resumes: true,
  encode: (event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
};
