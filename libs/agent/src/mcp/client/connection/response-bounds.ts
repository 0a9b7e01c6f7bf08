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

const LF = 0x0a;
const ID_FIELD = 'id:';

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
  const counter = new MessageCounter(isStream, maxBytes);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return ended(counter.hasIds);
        }
        counter.add(value);
        controller.enqueue(value);
      } catch (error) {
        controller.error(error);
        void reader.cancel().catch(() => undefined);
        ended(counter.hasIds);
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

/** Counts the bytes of the message that is being received. */
class MessageCounter {
  /** Whether an event had an id. */
  hasIds = false;
  private bytes = 0;
  /** The beginning of the current line, as long as a field's name. */
  private lineStart = '';

  constructor(
    private readonly isStream: boolean,
    private readonly maxBytes: number,
  ) {}

  /** @throws Error if the message exceeds the limit */
  add(chunk: Uint8Array): void {
    if (this.isStream) this.addLines(chunk);
    else this.bytes += chunk.length;
    if (this.bytes > this.maxBytes) throw tooLarge(this.maxBytes);
  }

  private addLines(chunk: Uint8Array): void {
    for (let from = 0; ;) {
      const end = chunk.indexOf(LF, from);
      this.addToLine(chunk.subarray(from, end < 0 ? undefined : end));
      if (end < 0) return;
      // An empty line ends the event.
      if (this.lineStart === '') this.bytes = 0;
      this.lineStart = '';
      from = end + 1;
    }
  }

  private addToLine(part: Uint8Array): void {
    this.bytes += part.length;
    if (this.lineStart.length >= ID_FIELD.length) return;
    const start = String.fromCharCode(...part.subarray(0, ID_FIELD.length)).replaceAll('\r', '');
    this.lineStart = (this.lineStart + start).slice(0, ID_FIELD.length);
    if (this.lineStart === ID_FIELD) this.hasIds = true;
  }
}
