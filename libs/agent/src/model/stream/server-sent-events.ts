import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import type { AnswerResponse } from './model-fetch';

/** Maximum size of one event: a faulty server must not fill the memory. */
const MAX_EVENT_CHARS = 32 * 1024 * 1024;
/** Maximum number of waiting events, and of characters in them, before reading pauses. */
const MAX_WAITING = 1_024;
const MAX_WAITING_CHARS = 1024 * 1024;
/** The time for a complete response to end, so that its connection can be reused. */
const END_WAIT_MS = 1_000;

interface ServerSentEvent {
  readonly event?: string | undefined;
  readonly data: string;
}

/**
 * The events of a response's body; a JSON body counts as one event. They come in the batches in
 * which they arrive, since a step per event would cost more than the parsing. For the same reason
 * this class uses listeners: iterating over the body takes a tick and several promises per chunk.
 */
export class ServerSentEvents implements AsyncIterableIterator<readonly ServerSentEvent[], void> {
  private readonly body: Readable;
  private readonly decoder = new StringDecoder('utf8');
  private readonly parser = createParser({
    maxBufferSize: MAX_EVENT_CHARS,
    onEvent: (event) => this.keep(event),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') this.end(error);
      // Older servers of llama.cpp report an error in a field of its own.
      else if (error.field === 'error') this.keep({ data: error.value ?? '' });
    },
  });
  private waiting: ServerSentEvent[] = [];
  private waitingChars = 0;
  private reader: Reader | undefined;
  private form: 'unknown' | 'events' | 'document' = 'unknown';
  private document = '';
  private isOver = false;
  private failure: Error | undefined;

  /** @param onChunk called for every chunk, whether or not it completes an event */
  constructor(
    body: AnswerResponse['body'],
    private readonly onChunk: () => void,
  ) {
    this.body = readableOf(body);
    this.body
      .on('data', this.read)
      .once('end', () => this.readEnd())
      .once('close', () => this.end())
      .on('error', (error) => this.end(error));
  }

  /** Rejects if the connection broke or an event is too large. */
  next(): Promise<IteratorResult<readonly ServerSentEvent[], void>> {
    return new Promise((resolve, reject) => {
      this.reader = { resolve, reject };
      this.serve();
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /**
   * Stops reading.
   *
   * @param hasAll whether the answer is complete, so that waiting for the stream's end loses
   *   nothing
   */
  close(hasAll: boolean): void {
    this.body.off('data', this.read);
    if (!hasAll) {
      // Its reader does not wait for the connection.
      this.end();
      this.body.destroy();
      return;
    }
    if (this.body.destroyed) return;
    const timer = setTimeout(() => this.body.destroy(), END_WAIT_MS).unref();
    this.body.once('close', () => clearTimeout(timer)).resume();
  }

  private readonly read = (chunk: Buffer): void => {
    this.onChunk();
    this.take(this.decoder.write(chunk));
    const hasEnough = this.waiting.length > MAX_WAITING || this.waitingChars > MAX_WAITING_CHARS;
    if (hasEnough) this.body.pause();
    this.serve();
  };

  /**
   * Some proxies keep a connection alive with events without data, which count as none.
   *
   * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#dispatchMessage
   */
  private keep(event: ServerSentEvent): void {
    if (event.data.trim() === '') return;
    this.waiting.push(event);
    this.waitingChars += event.data.length;
  }

  private readEnd(): void {
    this.take(this.decoder.end());
    if (this.form === 'document') this.keep({ data: this.document });
    // A last event without its closing blank line still counts: some servers omit the line.
    else this.take('\n\n');
  }

  private take(text: string): void {
    // The parser throws if it gets more than it accepts.
    if (this.failure !== undefined) return;
    switch (this.form) {
      case 'unknown': {
        // Blanks at the beginning are ignored, including a byte order mark.
        const begun = text.trimStart();
        if (begun === '') return;
        // No field of an event begins like this: the server does not stream, or sends a page.
        this.form = /^[{[<]/.test(begun) ? 'document' : 'events';
        this.take(begun);
        break;
      }
      case 'events':
        this.parser.feed(text);
        break;
      case 'document':
        this.document += text;
        if (this.document.length > MAX_EVENT_CHARS) this.end(new Error('It is too large.'));
        break;
    }
  }

  private end(failure?: Error): void {
    this.failure ??= failure;
    this.isOver = true;
    this.serve();
  }

  /** Resolves a waiting reader as soon as there is a result. */
  private serve(): void {
    const { reader, waiting, failure } = this;
    if (reader === undefined || (waiting.length === 0 && !this.isOver)) return;
    this.reader = undefined;
    if (waiting.length > 0) {
      this.waiting = [];
      this.waitingChars = 0;
      if (this.body.isPaused()) this.body.resume();
      reader.resolve({ done: false, value: waiting });
    } else if (failure !== undefined) reader.reject(failure);
    else reader.resolve({ done: true, value: undefined });
  }
}

interface Reader {
  readonly resolve: (step: IteratorResult<readonly ServerSentEvent[], void>) => void;
  readonly reject: (error: Error) => void;
}

/** A response without a body has no events. */
export function readableOf(body: AnswerResponse['body']): Readable {
  if (body instanceof Readable) return body;
  if (body === null) return Readable.from([]);
  // The chat page is type-checked with the browser's types, whose stream differs.
  const stream: unknown = body;
  return Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
}

/** Closes an unread response; later errors are ignored. */
export function discard({ body }: AnswerResponse): void {
  readableOf(body)
    .on('error', () => undefined)
    .destroy();
}
