import { createParser } from 'eventsource-parser';
import type { Watchdog } from './watchdog';

/** No provider sends one event this large; a server gone mad must not fill the memory. */
const MAX_EVENT_CHARS = 32 * 1024 * 1024;

export interface ServerSentEvent {
  readonly event?: string | undefined;
  readonly data: string;
}

/**
 * The events of a response, in the batches in which they arrive, since a step per event would cost
 * more than the parsing. Closes the connection however the loop over it ends.
 */
export async function* readServerSentEvents(
  response: Pick<Response, 'body'>,
  watchdog: Watchdog,
): AsyncGenerator<readonly ServerSentEvent[], void, undefined> {
  if (response.body === null) return;
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  watchdog.signal.addEventListener('abort', cancel, { once: true });
  let batch: ServerSentEvent[] = [];
  let oversized: Error | undefined;
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARS,
    onEvent: (event) => batch.push(event),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') oversized = error;
    },
  });
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      watchdog.throwIfEnded();
      if (done) break;
      watchdog.refresh();
      parser.feed(decoder.decode(value, { stream: true }));
      if (batch.length > 0) {
        yield batch;
        batch = [];
      }
      if (oversized !== undefined) throw oversized;
    }
    // A last event without its closing blank line still counts: some servers leave it out.
    parser.feed(`${decoder.decode()}\n\n`);
    if (batch.length > 0) yield batch;
  } finally {
    watchdog.signal.removeEventListener('abort', cancel);
    cancel();
  }
}
