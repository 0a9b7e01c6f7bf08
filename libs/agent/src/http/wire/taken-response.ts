import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { nodeResponse } from './node-http';
import { onceGone } from './once-gone';
import { varying } from './vary';

const TAKEN = Symbol('nestjs-agent:taken');

interface MarkedResponse extends ServerResponse {
  /** Returns the response to the framework. */
  [TAKEN]?: () => void;
}

/** The used part of Fastify's reply. */
interface FastifyReplyLike {
  code(status: number): unknown;
  headers(headers: OutgoingHttpHeaders): unknown;
  send(body?: string): unknown;
  hijack(): unknown;
  getHeaders(): Record<string, string | number | string[] | undefined>;
}

/**
 * A response detached from the framework. Writes of interceptors, filters or Nest itself are
 * dropped from now on: only this object reaches the client.
 *
 * @example
 * import { type TakenResponse } from 'nestjs-agent/endpoints';
 *
 * async function count(response: TakenResponse): Promise<void> {
 *   response.head(200, { 'content-type': 'text/plain' });
 *   for (let line = 1; line <= 1_000; line += 1) {
 *     if (!response.write(`${line}\n`)) await new Promise<void>((go) => response.onceReady(go));
 *   }
 *   response.end();
 * }
 */
export class TakenResponse {
  private readonly raw: ServerResponse;
  private readonly outlet: Outlet;
  private hasWritten = false;
  private isEnded = false;

  /**
   * @param request the framework's request
   * @param response the framework's response
   * @param common headers of every answer, unless the answer has its own; `vary` is added to the
   *   values that middleware has set
   * @internal
   */
  constructor(
    private readonly request: unknown,
    response: unknown,
    private readonly common: OutgoingHttpHeaders = {},
  ) {
    this.raw = nodeResponse(response);
    this.outlet = isFastifyReply(response)
      ? new FastifyOutlet(response, this.raw)
      : new NodeOutlet(this.raw);
    (this.raw as MarkedResponse)[TAKEN] = makeInert(response, this.raw);
  }

  /** Whether written data can no longer arrive. */
  get isOver(): boolean {
    return this.isEnded || this.raw.writableEnded || this.raw.destroyed;
  }

  /**
   * Begins a stream; its headers are sent with the first write if that follows at once.
   *
   * @param status the HTTP status
   * @param headers of this answer
   */
  head(status: number, headers: OutgoingHttpHeaders): void {
    if (this.isOver || this.raw.headersSent) return;
    this.outlet.begin(status, this.whole(headers));
    process.nextTick(() => {
      if (!this.hasWritten && !this.isOver) this.outlet.flush();
    });
  }

  /**
   * Sends a piece of a stream.
   *
   * @param chunk the text to send, unchanged
   * @returns `false` if the client reads too slowly: wait with `onceReady`
   */
  write(chunk: string): boolean {
    if (this.isOver) return true;
    this.hasWritten = true;
    return this.outlet.write(chunk);
  }

  /** Ends a stream. */
  end(): void {
    if (this.isOver) return;
    this.isEnded = true;
    this.outlet.end();
  }

  /**
   * Sends a complete answer, with or without a body.
   *
   * @param status the HTTP status
   * @param headers of this answer; none by default
   * @param body the content, none by default
   * @throws the errors of middleware that has wrapped the response
   */
  send(status: number, headers: OutgoingHttpHeaders = {}, body?: string): void {
    if (this.isOver || this.raw.headersSent) return;
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    this.outlet.send(status, { ...this.whole(headers), ...length }, body);
    this.isEnded = true;
  }

  /**
   * Answers with JSON.
   *
   * @param status the HTTP status
   * @param body the value to send as JSON
   * @param headers of this answer; none by default
   */
  json(status: number, body: unknown, headers: OutgoingHttpHeaders = {}): void {
    const type = { 'content-type': 'application/json; charset=utf-8' };
    this.send(status, { ...headers, ...type }, JSON.stringify(body));
  }

  /** Closes the connection at once. */
  destroy(): void {
    this.raw.destroy();
  }

  /**
   * Calls back when the client has caught up or disconnected; returns a function that stops
   * waiting.
   *
   * @param callback is called once
   */
  onceReady(callback: () => void): () => void {
    this.raw.once('drain', callback).once('close', callback);
    return () => void this.raw.off('drain', callback).off('close', callback);
  }

  /**
   * Calls back once if the client disconnects before its answer is complete.
   *
   * @param callback is called once
   * @returns a function that stops watching; call it when the answer no longer depends on the
   *   client
   */
  onDisconnect(callback: () => void): () => void {
    return onceGone(this.request, this.raw, () => {
      if (!this.raw.writableFinished) callback();
    });
  }

  private whole(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
    const { vary, ...common } = this.common;
    const whole = { ...common, ...headers };
    return vary === undefined ? whole : { ...whole, vary: varying(this.outlet.vary(), vary) };
  }
}

/** Whether the response is taken, so that no other code may write to it. */
export function isTaken(response: unknown): boolean {
  return (nodeResponse(response) as MarkedResponse)[TAKEN] !== undefined;
}

/** Returns the response to the framework, if its own hooks failed on the answer. */
export function giveBack(response: unknown): void {
  const raw = nodeResponse(response) as MarkedResponse;
  raw[TAKEN]?.();
  delete raw[TAKEN];
}

/** The remaining output of a taken response. */
interface Outlet {
  /** The `Vary` headers set so far. */
  vary(): readonly unknown[];
  begin(status: number, headers: OutgoingHttpHeaders): void;
  flush(): void;
  write(chunk: string): boolean;
  end(): void;
  send(status: number, headers: OutgoingHttpHeaders, body?: string): void;
}

/** Writes through Node's own response, as middleware has wrapped it (sessions, compression). */
class NodeOutlet implements Outlet {
  private readonly writeHead: (status: number, headers: OutgoingHttpHeaders) => void;
  private readonly writeChunk: (chunk: string) => boolean;
  private readonly endWith: (chunk?: string) => void;
  readonly flush: () => void;

  constructor(private readonly raw: ServerResponse) {
    this.writeHead = raw.writeHead.bind(raw);
    this.writeChunk = raw.write.bind(raw);
    this.endWith = raw.end.bind(raw);
    this.flush = raw.flushHeaders.bind(raw);
  }

  vary(): readonly unknown[] {
    return [this.raw.getHeader('vary')];
  }

  begin(status: number, headers: OutgoingHttpHeaders): void {
    this.writeHead(status, headers);
  }

  write(chunk: string): boolean {
    return this.writeChunk(chunk);
  }

  end(): void {
    this.endWith();
  }

  send(status: number, headers: OutgoingHttpHeaders, body?: string): void {
    this.writeHead(status, headers);
    this.endWith(body);
  }
}

/** Whole answers pass Fastify's `onSend` hooks (cookies, compression); streams bypass it. */
class FastifyOutlet implements Outlet {
  private readonly node: NodeOutlet;
  private readonly code: (status: number) => unknown;
  private readonly setHeaders: (headers: OutgoingHttpHeaders) => unknown;
  private readonly sendBody: (body?: string) => unknown;

  constructor(
    private readonly reply: FastifyReplyLike,
    private readonly raw: ServerResponse,
  ) {
    this.node = new NodeOutlet(raw);
    this.code = reply.code.bind(reply);
    this.setHeaders = reply.headers.bind(reply);
    this.sendBody = reply.send.bind(reply);
  }

  vary(): readonly unknown[] {
    return [this.reply.getHeaders()['vary'], ...this.node.vary()];
  }

  begin(status: number, headers: OutgoingHttpHeaders): void {
    // Fastify holds headers (CORS, for one) back until it sends, which never happens here.
    for (const [name, value] of Object.entries(this.reply.getHeaders())) {
      if (value !== undefined) this.raw.setHeader(name, value);
    }
    this.reply.hijack();
    this.node.begin(status, headers);
    makeInert(this.raw, this.raw);
  }

  flush(): void {
    this.node.flush();
  }

  write(chunk: string): boolean {
    return this.node.write(chunk);
  }

  end(): void {
    this.node.end();
  }

  send(status: number, headers: OutgoingHttpHeaders, body?: string): void {
    this.keep(headers);
    this.code(status);
    this.setHeaders(headers);
    this.sendBody(body);
  }

  /**
   * While the hooks run, an interceptor may still set headers, except those that control caching.
   */
  private keep(headers: OutgoingHttpHeaders): void {
    const writeHead = this.raw.writeHead.bind(this.raw) as NodeOutlet['writeHead'];
    const { 'cache-control': cacheControl, vary } = headers;
    this.raw.writeHead = ((status: number, last: OutgoingHttpHeaders = {}) => {
      writeHead(status, {
        ...last,
        ...(cacheControl !== undefined && { 'cache-control': cacheControl }),
        ...(vary !== undefined && { vary: varying(vary, last['vary']) }),
      });
      return this.raw;
    }) as ServerResponse['writeHead'];
  }
}

function isFastifyReply(response: unknown): response is FastifyReplyLike {
  return typeof (response as { hijack?: unknown }).hijack === 'function';
}

const WRITERS = [
  'writeHead',
  'flushHeaders',
  'status',
  'code',
  'sendStatus',
  'send',
  'json',
  'jsonp',
  'write',
  'end',
  'redirect',
  'sendFile',
  'render',
] as const;
const HEADER_WRITERS = ['setHeader', 'setHeaders', 'appendHeader', 'removeHeader'] as const;

/**
 * Headers can be added until the answer begins, as in any response; later they are dropped.
 *
 * @returns a function that restores the response
 */
function makeInert(response: unknown, raw: ServerResponse): () => void {
  const target = response as Record<string, unknown>;
  const before = new Map<string, PropertyDescriptor | undefined>();
  const replace = (name: string, replacement: (...args: unknown[]) => unknown): void => {
    before.set(name, Object.getOwnPropertyDescriptor(target, name));
    target[name] = replacement;
  };
  for (const name of WRITERS) {
    if (typeof target[name] === 'function') replace(name, () => response);
  }
  for (const name of HEADER_WRITERS) {
    const set = target[name];
    if (typeof set !== 'function') continue;
    replace(name, (...args) =>
      raw.headersSent ? response : (set.apply(response, args) as unknown),
    );
  }
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(target, name, descriptor);
      else delete target[name];
    }
  };
}
