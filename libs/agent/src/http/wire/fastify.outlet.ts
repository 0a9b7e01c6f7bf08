import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { makeInert } from './inert-response';
import { NodeOutlet } from './node.outlet';
import { varying } from './vary';

/** The used part of Fastify's reply. */
interface FastifyReplyLike {
  code(status: number): unknown;
  headers(headers: OutgoingHttpHeaders): unknown;
  send(body?: string): unknown;
  hijack(): unknown;
  getHeaders(): Record<string, string | number | string[] | undefined>;
}

export function isFastifyReply(response: unknown): response is FastifyReplyLike {
  return typeof (response as { hijack?: unknown }).hijack === 'function';
}

/** Whole answers pass Fastify's `onSend` hooks (cookies, compression); streams bypass it. */
export class FastifyOutlet extends NodeOutlet {
  private readonly code: (status: number) => unknown;
  private readonly setHeaders: (headers: OutgoingHttpHeaders) => unknown;
  private readonly sendBody: (body?: string) => unknown;

  constructor(
    private readonly reply: FastifyReplyLike,
    raw: ServerResponse,
  ) {
    super(raw);
    this.code = reply.code.bind(reply);
    this.setHeaders = reply.headers.bind(reply);
    this.sendBody = reply.send.bind(reply);
  }

  override vary(): readonly unknown[] {
    return [this.reply.getHeaders()['vary'], ...super.vary()];
  }

  override begin(status: number, headers: OutgoingHttpHeaders): void {
    // Fastify holds headers (CORS, for one) back until it sends, which never happens here.
    for (const [name, value] of Object.entries(this.reply.getHeaders())) {
      if (value !== undefined) this.raw.setHeader(name, value);
    }
    // Or `sent` would be false, and Fastify's `handlerTimeout` would end the stream.
    this.reply.hijack();
    super.begin(status, headers);
    makeInert(this.raw);
  }

  override send(status: number, headers: OutgoingHttpHeaders, body?: string): void {
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
        ...(vary !== last['vary'] && { vary: varying(vary, last['vary']) }),
      });
      return this.raw;
    }) as ServerResponse['writeHead'];
  }
}
