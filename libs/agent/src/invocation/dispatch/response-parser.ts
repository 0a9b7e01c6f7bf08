import { parseResponseHead, type ResponseHead } from './response-head';

/** Receives the parts of a response, in order. */
interface ResponseListener {
  onHead(head: ResponseHead): void;
  onBody(bytes: Buffer): void;
  onEnd(): void;
}

type State = 'head' | 'body' | 'chunk-size' | 'chunk' | 'trailers' | 'done';

/** The maximum size of a head, far above real ones; protects the memory. */
const MAX_LINE_BYTES = 256 * 1024;

/**
 * Parses one response from a connection (RFC 9112): skips informational responses; a body ends by
 * its length, its last chunk or the connection's end.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-6
 */
export class ResponseParser {
  private state: State = 'head';
  /** Unparsed bytes of an incomplete line or head. */
  private rest: Buffer | undefined;
  private remaining = 0;

  constructor(
    private readonly method: string,
    private readonly listener: ResponseListener,
  ) {}

  get isDone(): boolean {
    return this.state === 'done';
  }

  /** @throws SyntaxError if the bytes are not an HTTP response */
  write(bytes: Buffer): void {
    let input = this.rest ? Buffer.concat([this.rest, bytes]) : bytes;
    this.rest = undefined;
    while (input.length > 0 && this.state !== 'done') {
      const used = this.step(input);
      if (used === 0) {
        if (input.length > MAX_LINE_BYTES)
          throw new SyntaxError('The response has no end of line.');
        this.rest = input;
        return;
      }
      input = input.subarray(used);
    }
  }

  /** Whether the body ends with the connection. */
  get endsWithConnection(): boolean {
    return this.state === 'body' && this.remaining === Infinity;
  }

  /** Ends the connection. @throws SyntaxError if the response is incomplete */
  end(): void {
    if (this.state === 'done') return;
    if (!this.endsWithConnection) {
      throw new SyntaxError('The response ended early.');
    }
    this.finish();
  }

  /** Parses one piece; returns the number of consumed bytes, 0 if it needs more. */
  private step(input: Buffer): number {
    switch (this.state) {
      case 'head':
        return this.readHead(input);
      case 'body':
        return this.readBody(input);
      case 'chunk-size':
        return this.readChunkSize(input);
      case 'chunk':
        return this.readChunk(input);
      case 'trailers':
        return this.readTrailer(input);
      case 'done':
        return input.length;
    }
  }

  private readHead(input: Buffer): number {
    const end = input.indexOf('\r\n\r\n');
    if (end === -1) return 0;
    const head = parseResponseHead(input.toString('latin1', 0, end));
    const isFinal = head.status >= 200 || head.status === 101;
    if (isFinal) this.beginBody(head);
    return end + 4;
  }

  private beginBody(head: ResponseHead): void {
    const { status, headers } = head;
    this.listener.onHead(head);
    const length = headers['content-length'];
    if (this.method === 'HEAD' || status < 200 || status === 204 || status === 304) this.finish();
    else if (/(?:^|,\s*)chunked$/i.test(headers['transfer-encoding'] ?? '')) {
      this.state = 'chunk-size';
    } else {
      this.state = 'body';
      this.remaining = length === undefined ? Infinity : Number(length);
      if (!(this.remaining >= 0)) throw new SyntaxError('The response has a malformed length.');
      if (this.remaining === 0) this.finish();
    }
  }

  private readBody(input: Buffer): number {
    const length = this.passOn(input);
    if (this.remaining === 0) this.finish();
    return length;
  }

  private readChunkSize(input: Buffer): number {
    const end = input.indexOf('\r\n');
    if (end === -1) return 0;
    const size = /^[0-9a-f]+/i.exec(input.toString('latin1', 0, end))?.[0];
    if (size === undefined) throw new SyntaxError('The response has a malformed chunk.');
    this.remaining = Number.parseInt(size, 16);
    this.state = this.remaining === 0 ? 'trailers' : 'chunk';
    return end + 2;
  }

  private readChunk(input: Buffer): number {
    if (this.remaining === 0) {
      if (input.length < 2) return 0;
      this.state = 'chunk-size';
      return 2;
    }
    return this.passOn(input);
  }

  /** Passes on what belongs to the body or chunk. */
  private passOn(input: Buffer): number {
    const bytes = input.subarray(0, this.remaining);
    this.remaining -= bytes.length;
    this.listener.onBody(bytes);
    return bytes.length;
  }

  private readTrailer(input: Buffer): number {
    const end = input.indexOf('\r\n');
    if (end === -1) return 0;
    if (end === 0) this.finish();
    return end + 2;
  }

  private finish(): void {
    this.state = 'done';
    this.listener.onEnd();
  }
}
