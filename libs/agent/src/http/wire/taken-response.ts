import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { FastifyOutlet, isFastifyReply } from './fastify.outlet';
import { makeInert } from './inert-response';
import { nodeResponse } from './node-http';
import { NodeOutlet } from './node.outlet';
import { destroyResponse, drainingOf, isDisconnected, onceDisconnected } from './disconnect';
import { varying } from './vary';

const TAKEN = Symbol('nestjs-agent:taken');

interface MarkedResponse extends ServerResponse {
  /** Returns the response to the framework. */
  [TAKEN]?: () => void;
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
  private readonly outlet: NodeOutlet;
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
    (this.raw as MarkedResponse)[TAKEN] = makeInert(response);
  }

  /** Whether written data can no longer arrive. */
  get isOver(): boolean {
    const { isEnded, raw, request } = this;
    return isEnded || raw.writableEnded || isDisconnected(request, raw);
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
    destroyResponse(this.raw);
  }

  /**
   * Calls back when the client has caught up or disconnected; returns a function that stops
   * waiting.
   *
   * @param callback is called once
   */
  onceReady(callback: () => void): () => void {
    return onceDisconnected(this.request, this.raw, callback, drainingOf(this.raw));
  }

  /**
   * Calls back once if the client disconnects before its answer is complete.
   *
   * @param callback is called once
   * @returns a function that stops watching; call it when the answer no longer depends on the
   *   client
   */
  onDisconnect(callback: () => void): () => void {
    return onceDisconnected(this.request, this.raw, () => {
      // An HTTP/2 stream that its client has reset counts as finished, too.
      if (!this.raw.writableEnded || !this.raw.writableFinished) callback();
    });
  }

  private whole(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
    const { vary, ...common } = this.common;
    const whole = { ...common, ...headers };
    if (vary === undefined) return whole;
    const set = this.outlet.vary().filter((value) => value !== undefined);
    return { ...whole, vary: set.length === 0 ? vary : varying(set, vary) };
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
