import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpServer } from './http-servers';

export interface RawMessage {
  readonly id?: number;
  readonly method: string;
  readonly params?: {
    readonly [key: string]: unknown;
    readonly name?: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
    readonly cursor?: string;
    readonly _meta?: { readonly progressToken?: number };
  };
}

/** What a server does with one request: its result, or nothing where it writes the answer itself. */
export type RawBehaviour = (
  message: RawMessage,
  response: ServerResponse,
  request: IncomingMessage,
) => object | undefined;

export const EMPTY_INPUT = { type: 'object' };

/** A server of an older revision that does whatever a test wants, right or wrong. */
export class RawServer extends HttpServer {
  readonly messages: RawMessage[] = [];
  tools: readonly object[] = [];
  /** Open streams of the clients. */
  readonly streams = new Set<ServerResponse>();

  constructor(behave: RawBehaviour = () => undefined) {
    super(async (request, response) => {
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        this.streams.add(response);
        response.on('close', () => this.streams.delete(response));
        return;
      }
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const message = JSON.parse(Buffer.concat(chunks).toString()) as RawMessage;
      this.messages.push(message);
      const { id } = message;
      if (id === undefined) return void response.writeHead(202).end();
      const result = behave(message, response, request) ?? this.usual(message);
      if (result === undefined || response.headersSent || response.writableEnded) return;
      sendJson(response, { jsonrpc: '2.0', id, ...wrapped(result) });
    });
  }

  of(method: string): readonly RawMessage[] {
    return this.messages.filter((message) => message.method === method);
  }

  notify(method: string, params?: object): void {
    for (const stream of this.streams) sendEvent(stream, { jsonrpc: '2.0', method, params });
  }

  private usual({ method }: RawMessage): object | undefined {
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: '2025-06-18',
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: 'raw', version: '1' },
          instructions: 'x'.repeat(5_000),
        };
      case 'tools/list':
        return { tools: this.tools };
      case 'tools/call':
        return undefined;
      default:
        return { error: { code: -32_601, message: 'Method not found' } };
    }
  }
}

export function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function sendEvent(stream: ServerResponse, message: object): void {
  if (!stream.headersSent) stream.writeHead(200, { 'content-type': 'text/event-stream' });
  stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}

export function textResult(text: string): object {
  return { content: [{ type: 'text', text }] };
}

function wrapped(result: object): object {
  return 'error' in result ? result : { result };
}
