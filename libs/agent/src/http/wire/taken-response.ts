import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { nodeResponse } from './node-http';

const TAKEN = Symbol('nestjs-agent:taken');

interface MarkedResponse extends ServerResponse {
  [TAKEN]?: boolean;
}

/**
 * A response taken out of the framework's hands. Whatever an interceptor, a filter or Nest itself
 * writes to it from now on is dropped: only this object reaches the client.
 */
export class TakenResponse {
  private readonly raw: ServerResponse;
  private readonly writeHeadRaw: (status: number, headers?: OutgoingHttpHeaders) => void;
  private readonly writeRaw: (chunk: string) => boolean;
  private readonly endRaw: (chunk?: string) => void;
  private hasWritten = false;
  private isEnded = false;

  constructor(response: unknown) {
    const raw = nodeResponse(response);
    this.raw = raw;
    // Middleware may have wrapped these (sessions, compression), so the wrapped ones are kept.
    this.writeHeadRaw = raw.writeHead.bind(raw);
    this.writeRaw = raw.write.bind(raw);
    this.endRaw = raw.end.bind(raw);
    takeFastifyHeaders(response, raw);
    (raw as MarkedResponse)[TAKEN] = true;
    makeInert(response);
    if (response !== raw) makeInert(raw);
  }

  /** Whether nothing that is written can arrive any more. */
  get isOver(): boolean {
    return this.isEnded || this.raw.destroyed;
  }

  /** Sends status and headers: with the body's beginning where that is at hand, else ahead of it. */
  head(status: number, headers: OutgoingHttpHeaders): void {
    if (this.isOver || this.raw.headersSent) return;
    this.writeHeadRaw(status, headers);
    process.nextTick(() => {
      if (!this.hasWritten && !this.isOver) this.raw.flushHeaders();
    });
  }

  /** `false` where the client is slower than we are: wait with `onceReady`. */
  write(chunk: string): boolean {
    if (this.isOver) return true;
    this.hasWritten = true;
    return this.writeRaw(chunk);
  }

  end(chunk?: string): void {
    if (this.isOver) return;
    this.isEnded = true;
    this.endRaw(chunk);
  }

  /** Answers with a status and no body. */
  finish(status: number): void {
    if (this.isOver || this.raw.headersSent) return;
    this.writeHeadRaw(status);
    this.end();
  }

  /** Drops the connection. */
  destroy(): void {
    this.raw.destroy();
  }

  json(status: number, body: unknown, headers: OutgoingHttpHeaders = {}): void {
    if (this.isOver || this.raw.headersSent) return;
    const text = JSON.stringify(body);
    this.writeHeadRaw(status, {
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    });
    this.end(text);
  }

  /** Calls back when the client has caught up or is gone; answers a function that stops waiting. */
  onceReady(callback: () => void): () => void {
    this.raw.once('drain', callback).once('close', callback);
    return () => void this.raw.off('drain', callback).off('close', callback);
  }
}

/** Fastify keeps headers (CORS, for one) to itself until it sends, which it will not do here. */
function takeFastifyHeaders(response: unknown, raw: ServerResponse): void {
  const reply = response as {
    hijack?: () => void;
    getHeaders?: () => Record<string, string | number | string[] | undefined>;
  };
  if (typeof reply.hijack !== 'function') return;
  for (const [name, value] of Object.entries(reply.getHeaders?.() ?? {})) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  reply.hijack();
}

/** Whether somebody took this response over, so that nobody else may write to it. */
export function isTaken(response: unknown): boolean {
  return (nodeResponse(response) as MarkedResponse)[TAKEN] === true;
}

const WRITERS = [
  'writeHead',
  'send',
  'json',
  'write',
  'end',
  'redirect',
  'sendFile',
  'render',
] as const;

function makeInert(response: unknown): void {
  const target = response as Record<string, unknown>;
  for (const name of WRITERS) {
    if (typeof target[name] === 'function') target[name] = () => response;
  }
}
