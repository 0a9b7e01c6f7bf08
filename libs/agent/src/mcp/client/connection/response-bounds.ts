import { createParser } from 'eventsource-parser';
import { withFallback } from '../../../internal';

/** The most bytes of one message: a JSON body, or one event of a stream. */
export const MAX_MESSAGE_BYTES = 16 * 1_048_576;
/** The most bytes that the client checks: millions of problems would take it minutes. */
export const MAX_CHECKED_BYTES = 262_144;

/** A message that is nested too deeply to be measured is as large as one can be. */
export function bytesOf(message: object): number {
  return withFallback(() => Buffer.byteLength(JSON.stringify(message)), MAX_MESSAGE_BYTES);
}

export function tooLarge(maxBytes: number): Error {
  return new Error(`A message of the MCP server exceeds ${maxBytes} bytes`);
}

/**
 * The response with a body that fails once a message in it exceeds the limit. The client reads a
 * JSON body whole and waits for the end of each event, so an endless one would fill the memory.
 *
 * @param ended called at the end of the body; a stream whose events have ids can be resumed
 */
export function boundedResponse(
  response: Response,
  ended: (canResume: boolean) => void,
  maxBytes = MAX_MESSAGE_BYTES,
): Response {
  if (response.body === null) return response;
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
  let bytes = 0;
  let hasIds = false;
  const parser = createParser({
    maxBufferSize: maxBytes,
    onEvent: ({ id = '', data }) => {
      // The parser's own limit applies to buffered data: it buffers nothing of an event that arrives whole.
      if (data.length > maxBytes) throw tooLarge(maxBytes);
      hasIds ||= id !== '';
    },
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw tooLarge(maxBytes);
    },
  });
  const check = (chunk: Uint8Array): void => {
    // The parser counts characters: here, each is a byte.
    if (isStream) return parser.feed(Buffer.from(chunk).toString('latin1'));
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
  };
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return ended(hasIds);
        }
        check(value);
        controller.enqueue(value);
      } catch (error) {
        controller.error(error);
        void reader.cancel().catch(() => undefined);
        ended(hasIds);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers } = response;
  const bounded = new Response(body, { status, statusText, headers });
  // The client compares addresses to detect a redirect.
  Object.defineProperty(bounded, 'url', { value: response.url });
  return bounded;
}
