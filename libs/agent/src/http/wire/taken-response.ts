import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { nodeResponse } from './node-http';
import { onceGone } from './once-gone';
import { varying } from './vary';

const TAKEN = Symbol('nestjs-agent:taken');

interface MarkedResponse extends ServerResponse {
  /** Gives the response back to the framework. */
  [TAKEN]?: () => void;
}

/** As much of Fastify's reply as is used here. */
interface FastifyReplyLike {
  code(status: number): unknown;
  headers(headers: OutgoingHttpHeaders): unknown;
  send(body?: string): unknown;
  hijack(): unknown;
  getHeaders(): Record<string, string | number | string[] | undefined>;
}

/**
 * A response taken out of the framework's hands. Whatever an interceptor, a filter or Nest itself
 * writes to it from now on is dropped: only this object reaches the client.
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
   * @param request the framework's
   * @param response the framework's
   * @param common headers of every answer, unless the answer has its own; those of `vary` add to
   *   what middleware has set
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

  /** Whether nothing that is written can arrive any more. */
  get isOver(): boolean {
    return this.isEnded || this.raw.writableEnded || this.raw.destroyed;
  }

  /**
   * Begins a stream: its headers go out with the first write where that follows at once.
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
   * @param chunk as it goes out
   * @returns `false` where the client is slower than we are: wait with `onceReady`
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
   * Answers as a whole; without a body where there is none.
   *
   * @param status the HTTP status
   * @param headers of this answer; none by default
   * @param body the content, none by default
   * @throws whatever middleware throws that has wrapped the response
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
   * @param body what is written as JSON
   * @param headers of this answer; none by default
   */
  json(status: number, body: unknown, headers: OutgoingHttpHeaders = {}): void {
    const type = { 'content-type': 'application/json; charset=utf-8' };
    this.send(status, { ...headers, ...type }, JSON.stringify(body));
  }

  /** Drops the connection. */
  destroy(): void {
    this.raw.destroy();
  }

  /**
   * Calls back when the client has caught up or is gone; answers a function that stops waiting.
   *
   * @param callback is called once
   */
  onceReady(callback: () => void): () => void {
    this.raw.once('drain', callback).once('close', callback);
    return () => void this.raw.off('drain', callback).off('close', callback);
  }

  /**
   * Calls back once if the client goes away before its answer is complete.
   *
   * @param callback is called once
   * @returns a function that stops watching; call it when the answer no longer depends on the client
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

/** Whether somebody took this response over, so that nobody else may write to it. */
export function isTaken(response: unknown): boolean {
  return (nodeResponse(response) as MarkedResponse)[TAKEN] !== undefined;
}

/** Lets the framework answer after all, where its own hooks failed with what it was to send. */
export function giveBack(response: unknown): void {
  const raw = nodeResponse(response) as MarkedResponse;
  raw[TAKEN]?.();
  delete raw[TAKEN];
}

/** What a taken response still writes through. */
interface Outlet {
  /** The `Vary` headers that are set so far. */
  vary(): readonly unknown[];
  begin(status: number, headers: OutgoingHttpHeaders): void;
  flush(): void;
  write(chunk: string): boolean;
  end(): void;
  send(status: number, headers: OutgoingHttpHeaders, body?: string): void;
}

/** Through Node's own response, as middleware has wrapped it (sessions, compression). */
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

/** Whole answers pass Fastify's `onSend` hooks (cookies, compression); streams go past it. */
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
    // Fastify keeps headers (CORS, for one) to itself until it sends, which it will not do here.
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

  /** While the hooks run, an interceptor may still set headers: not who may keep the answer. */
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
 * Headers can be added until the answer begins, as they can to any; later they are dropped.
 *
 * @returns a function that undoes it
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
