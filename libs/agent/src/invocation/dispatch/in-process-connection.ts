import { Duplex, Readable } from 'node:stream';
import { callerPropertiesOf } from './caller-properties';
import type { CallerConnection, Destination, RouteRequest, RouteResponse } from './dispatcher';
import { requestBytes } from './request-head';
import type { ResponseHead } from './response-head';
import { ResponseParser } from './response-parser';

type WriteCallback = (error?: Error | null) => void;

/**
 * The server's end of a connection that never leaves the process and serves one request. It hands
 * out the request's bytes, and makes the response of the bytes written to it.
 */
export class InProcessConnection extends Duplex {
  /** Settles with the head of the response. */
  readonly routeResponse: Promise<RouteResponse>;

  /** Where its request has to arrive. */
  readonly destination: Destination | undefined;

  // Private in the language's own way: servers put fields of their own on a socket.
  readonly #parser: ResponseParser;
  readonly #body: Readable;
  /** Held back while the reader has enough: this is how the server feels back-pressure. */
  #held: WriteCallback | undefined;
  #hasRoom = true;
  #isAborted = false;
  #idle: NodeJS.Timeout | undefined;
  #resolve: (response: RouteResponse) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  /** @throws TypeError where the request cannot be said in HTTP */
  constructor(request: RouteRequest, caller: CallerConnection) {
    super({ emitClose: true });
    this.destination = request.destination;
    this.routeResponse = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#parser = new ResponseParser(request.method, {
      onHead: ({ status, headers }: ResponseHead) =>
        this.#resolve({ status, headers, body: this.#body }),
      onBody: (bytes) => {
        this.#hasRoom = this.#body.push(bytes);
      },
      onEnd: () => this.#body.push(null),
    });
    this.#body = new Readable({
      read: () => this.#release(),
      destroy: (error, callback) => {
        // A body read to its end leaves the connection to the server, which is still closing it.
        if (!this.#parser.isDone) this.abort();
        callback(error);
      },
    });
    // Whoever stops reading does not listen any more either.
    this.#body.on('error', () => undefined);
    this.on('error', () => undefined);
    Object.assign(this, callerPropertiesOf(caller));
    // No end: a client that closed its side would seem to have gone.
    this.push(requestBytes(request));
  }

  /** Closes the connection from the client's side, whatever was received. */
  abort(): void {
    this.#isAborted = true;
    this.destroy();
  }

  // What `http` and the frameworks call on a socket besides the stream.
  /** Emits `timeout` once the handler has written nothing for so long; 0 means never. */
  setTimeout(ms: number, listener?: () => void): this {
    clearTimeout(this.#idle);
    this.#idle = ms > 0 ? setTimeout(() => this.emit('timeout'), ms).unref() : undefined;
    if (listener && ms > 0) this.once('timeout', listener);
    else if (listener) this.off('timeout', listener);
    return this;
  }
  address(): object {
    return {};
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: WriteCallback): void {
    this.#receive(chunk, callback);
  }

  override _writev(chunks: { chunk: Buffer }[], callback: WriteCallback): void {
    const [first] = chunks;
    const bytes =
      first && chunks.length === 1 ? first.chunk : Buffer.concat(chunks.map(({ chunk }) => chunk));
    this.#receive(bytes, callback);
  }

  override _final(callback: WriteCallback): void {
    try {
      this.#parser.end();
      callback();
    } catch (error) {
      callback(error as Error);
    }
    // The server has nothing more to say, and only ever answers one request.
    process.nextTick(() => this.destroy());
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    clearTimeout(this.#idle);
    if (this.#parser.endsWithConnection && !this.#isAborted) this.#parser.end();
    if (!this.#parser.isDone) {
      const reason = error ?? new Error('The connection was closed before the response ended.');
      this.#reject(reason);
      this.#body.destroy(reason);
    }
    this.#release();
    callback(error);
  }

  #receive(bytes: Buffer, callback: WriteCallback): void {
    this.#idle?.refresh();
    try {
      this.#hasRoom = true;
      this.#parser.write(bytes);
    } catch (error) {
      callback(error as Error);
      return;
    }
    if (this.#hasRoom || this.#parser.isDone) callback();
    else this.#held = callback;
  }

  #release(): void {
    const callback = this.#held;
    this.#held = undefined;
    callback?.();
  }
}
