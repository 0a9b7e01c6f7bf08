import { Duplex, Readable } from 'node:stream';
import { outsideRequests } from '../../internal';
import type { CallerConnection, Destination, RouteRequest, RouteResponse } from './dispatcher';
import { requestBytes } from './request-head';
import type { ResponseHead } from './response-head';
import { ResponseParser } from './response-parser';

/** Properties of a TLS connection that guards read. */
const TLS_METHODS = ['getPeerCertificate', 'getPeerX509Certificate', 'getCipher', 'getProtocol'];

const TLS_STATE = ['authorized', 'authorizationError'];

type WriteCallback = (error?: Error | null) => void;

/**
 * The server's end of an in-process connection for one request. It provides the request's bytes,
 * and parses the written bytes into the response.
 */
export class InProcessConnection extends Duplex {
  readonly routeResponse: Promise<RouteResponse>;

  /** Where its request has to arrive. */
  readonly destination: Destination | undefined;

  // `#private`, because servers add their own fields to a socket.
  readonly #parser: ResponseParser;
  readonly #body: Readable;
  /** The pending write callback, for back-pressure. */
  #held: WriteCallback | undefined;
  #hasRoom = true;
  #isAborted = false;
  #idle: NodeJS.Timeout | undefined;
  #resolve: (response: RouteResponse) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  /** @throws TypeError if the request is invalid in HTTP */
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
        // After the complete body the server closes the connection itself.
        if (!this.#parser.isDone) this.abort();
        callback(error);
      },
    });
    // A reader that stopped has no error listener.
    this.#body.on('error', () => undefined);
    this.on('error', () => undefined);
    Object.assign(this, callerPropertiesOf(caller));
    // Not ended: a half-closed connection looks like a disconnect.
    this.push(requestBytes(request));
  }

  /** Closes the connection from the client's side. */
  abort(): void {
    this.#isAborted = true;
    outsideRequests(() => this.destroy());
  }

  // Methods of a socket that `http` and the frameworks call.
  /** Emits `timeout` after this time without a write; 0 disables it. */
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
    // The response is complete, and there is only one.
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
    // The reader's context is not the handler's, which writes on.
    if (callback) outsideRequests(callback);
  }
}

/**
 * The required handler of an in-process request; `undefined` for a request from outside. A client
 * cannot fake it: the connection must be an instance of the library's own class.
 */
export function destinationOf(request: unknown): Destination | undefined {
  const { socket } = (request ?? {}) as { readonly socket?: unknown };
  return socket instanceof InProcessConnection ? socket.destination : undefined;
}

/** The properties of the caller's connection for the handler. */
function callerPropertiesOf({
  remoteAddress,
  isEncrypted,
  local,
  connection,
}: CallerConnection): object {
  const properties: Record<string, unknown> = {
    ...local,
    remoteAddress,
    remoteFamily: remoteAddress?.includes(':') ? 'IPv6' : 'IPv4',
  };
  if (!isEncrypted) return properties;
  properties.encrypted = true;
  const source = (connection ?? {}) as Record<string, unknown>;
  for (const name of TLS_STATE) if (name in source) properties[name] = source[name];
  for (const name of TLS_METHODS) {
    const method: unknown = source[name];
    if (typeof method === 'function') {
      properties[name] = (...args: unknown[]) => Reflect.apply(method, source, args) as unknown;
    }
  }
  return properties;
}
