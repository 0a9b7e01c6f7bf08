import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/**
 * The remaining output of a taken response: Node's own response, as middleware has wrapped it
 * (sessions, compression).
 */
export class NodeOutlet {
  private readonly writeHead: (status: number, headers: OutgoingHttpHeaders) => void;
  private readonly writeChunk: (chunk: string) => boolean | undefined;
  private readonly endWith: (chunk?: string) => void;
  readonly flush: () => void;

  constructor(protected readonly raw: ServerResponse) {
    this.writeHead = raw.writeHead.bind(raw);
    this.writeChunk = raw.write.bind(raw);
    this.endWith = raw.end.bind(raw);
    this.flush = raw.flushHeaders.bind(raw);
  }

  /** The `Vary` headers set so far. */
  vary(): readonly unknown[] {
    return [this.raw.getHeader('vary')];
  }

  begin(status: number, headers: OutgoingHttpHeaders): void {
    this.writeHead(status, headers);
  }

  write(chunk: string): boolean {
    // Adapters of serverless functions return nothing, and never send `drain`.
    return this.writeChunk(chunk) !== false;
  }

  end(): void {
    this.endWith();
  }

  send(status: number, headers: OutgoingHttpHeaders, body?: string): void {
    this.writeHead(status, headers);
    this.endWith(body);
  }
}
