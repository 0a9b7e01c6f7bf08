import { EventEmitter } from 'node:events';
import { STATUS_CODES } from 'node:http';

type HeaderValue = string | number | readonly string[];

/** The response of a guard, interceptor or filter instead of the tool. */
interface DetachedAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * The response for a tool's enhancers. It accepts the calls of Express's, Fastify's and Node's
 * responses and records them, because the chat's real response is being streamed. The first answer
 * counts, as with a real response.
 */
export class DetachedResponse extends EventEmitter {
  statusCode = 200;
  statusMessage = '';
  /** Express's `locals`. */
  readonly locals: Record<string, unknown> = {};
  private readonly fields = new Map<string, HeaderValue>();
  private readonly chunks: string[] = [];
  private answered?: DetachedAnswer;
  private hasEnded = false;

  constructor(readonly req?: unknown) {
    super();
  }

  /** The first answer, if any. */
  get answer(): DetachedAnswer | undefined {
    return this.answered;
  }

  get headersSent(): boolean {
    return this.hasEnded;
  }
  get sent(): boolean {
    return this.headersSent;
  }
  get writableEnded(): boolean {
    return this.headersSent;
  }
  get finished(): boolean {
    return this.headersSent;
  }
  /** Node's response, as in Fastify. */
  get raw(): this {
    return this;
  }
  get request(): unknown {
    return this.req;
  }

  status(code: number): this {
    this.statusCode = code;
    return this;
  }
  code(code: number): this {
    return this.status(code);
  }
  sendStatus(code: number): this {
    return this.status(code).send(STATUS_CODES[code] ?? String(code));
  }
  writeHead(code: number, ...rest: readonly unknown[]): this {
    const headers = rest.find((item) => typeof item === 'object' && item !== null);
    if (headers !== undefined) this.set(headers as Record<string, HeaderValue>);
    return this.status(code);
  }

  setHeader(name: string, value: HeaderValue): this {
    this.fields.set(name.toLowerCase(), value);
    return this;
  }
  set(name: string | Readonly<Record<string, HeaderValue>>, value?: HeaderValue): this {
    if (typeof name === 'string') return this.setHeader(name, value ?? '');
    for (const [key, item] of Object.entries(name)) this.setHeader(key, item);
    return this;
  }
  header(name: string | Readonly<Record<string, HeaderValue>>, value?: HeaderValue): this {
    return this.set(name, value);
  }
  headers(fields: Readonly<Record<string, HeaderValue>>): this {
    return this.set(fields);
  }
  append(name: string, value: HeaderValue): this {
    const known = this.fields.get(name.toLowerCase());
    const values = known === undefined ? [] : [known].flat();
    return this.setHeader(name, [...values, value].flat().map(String));
  }
  appendHeader(name: string, value: HeaderValue): this {
    return this.append(name, value);
  }
  get(name: string): HeaderValue | undefined {
    return this.fields.get(name.toLowerCase());
  }
  getHeader(name: string): HeaderValue | undefined {
    return this.get(name);
  }
  getHeaders(): Record<string, HeaderValue> {
    return Object.fromEntries(this.fields);
  }
  getHeaderNames(): string[] {
    return [...this.fields.keys()];
  }
  hasHeader(name: string): boolean {
    return this.fields.has(name.toLowerCase());
  }
  removeHeader(name: string): this {
    this.fields.delete(name.toLowerCase());
    return this;
  }
  flushHeaders(): void {}
  type(value: string): this {
    return this.setHeader('content-type', value);
  }
  contentType(value: string): this {
    return this.type(value);
  }
  vary(value: string): this {
    return this.append('vary', value);
  }
  location(url: string): this {
    return this.setHeader('location', url);
  }
  links(): this {
    return this;
  }
  cookie(name: string, value: unknown): this {
    return this.append('set-cookie', `${name}=${String(value)}`);
  }
  setCookie(name: string, value: unknown): this {
    return this.cookie(name, value);
  }
  clearCookie(): this {
    return this;
  }

  json(body?: unknown): this {
    return this.settle(body);
  }
  jsonp(body?: unknown): this {
    return this.settle(body);
  }
  send(body?: unknown): this {
    return this.settle(body);
  }
  render(): this {
    return this.settle(undefined);
  }
  sendFile(): this {
    return this.settle(undefined);
  }
  download(): this {
    return this.settle(undefined);
  }
  redirect(...args: readonly (string | number)[]): this {
    return this.status(args.find((item) => typeof item === 'number') ?? 302).settle(undefined);
  }
  write(chunk: unknown): boolean {
    this.chunks.push(textOf(chunk));
    return true;
  }
  end(chunk?: unknown): this {
    if (chunk !== undefined && typeof chunk !== 'function') this.write(chunk);
    return this.settle(this.chunks.length > 0 ? this.chunks.join('') : undefined);
  }
  hijack(): this {
    return this;
  }

  /** Ends an unanswered response with the call, for listeners of its end. */
  complete(status = this.statusCode): void {
    if (this.hasEnded) return;
    this.statusCode = status;
    this.hasEnded = true;
    this.emit('finish');
    this.emit('close');
  }

  private settle(body: unknown): this {
    if (!this.hasEnded) this.answered = { status: this.statusCode, body };
    this.complete();
    return this;
  }
}

function textOf(chunk: unknown): string {
  if (typeof chunk === 'string') return chunk;
  return chunk instanceof Uint8Array ? Buffer.from(chunk).toString('utf8') : '';
}
