import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { McpServer as OldServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { randomUUID } from 'node:crypto';

export interface SeenRequest {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
}

/** A server on a free port, which remembers the heads of its requests. */
export class HttpServer {
  readonly seen: SeenRequest[] = [];
  private server: Server | undefined;
  private port = 0;

  constructor(
    private readonly handle: (request: IncomingMessage, response: ServerResponse) => unknown,
    private readonly path = '/mcp',
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}${this.path}`;
  }

  /** Starts it, again on the same port after it was closed. */
  async start(): Promise<this> {
    const server = createServer((request, response) => {
      this.seen.push({ method: request.method ?? '', headers: request.headers });
      void this.handle(request, response);
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
    return this;
  }

  async close(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (server === undefined) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }
}

/** A server of the current revision, on the official package. */
export function modernServer(fill: (server: McpServer) => void) {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer(
        { name: 'modern', version: '1.0.0' },
        { capabilities: { tools: { listChanged: true } }, instructions: 'Mind the gap.' },
      );
      fill(server);
      return server;
    },
    { legacy: 'reject' },
  );
  const http = new HttpServer((request, response) => bridge(request, response, handler.fetch));
  return Object.assign(http, { notify: handler.notify });
}

/** A server of an older revision with sessions, on the first official package. */
export function legacyServer(fill: (server: OldServer) => void) {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const servers = new Set<OldServer>();
  const http = new HttpServer(async (request, response) => {
    const session = request.headers['mcp-session-id'];
    const known = typeof session === 'string' ? transports.get(session) : undefined;
    if (known) return known.handleRequest(request, response);
    if (session !== undefined) return void response.writeHead(404).end();
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void transports.set(id, transport),
    });
    transport.onclose = () => transports.delete(transport.sessionId ?? '');
    const server = new OldServer(
      { name: 'legacy', version: '1.0.0' },
      { capabilities: { tools: { listChanged: true } } },
    );
    servers.add(server);
    fill(server);
    await server.connect(transport);
    return transport.handleRequest(request, response);
  });
  return Object.assign(http, { transports, servers });
}

async function bridge(
  request: IncomingMessage,
  response: ServerResponse,
  handle: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const hasBody = request.method === 'POST';
  const answer = await handle(
    new Request(`http://${request.headers.host}${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      signal: gone.signal,
      ...(hasBody && { body: Readable.toWeb(request) as never, duplex: 'half' }),
    }),
  );
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) return void response.end();
  const body = Readable.fromWeb(answer.body as never);
  body.on('error', () => response.destroy());
  response.on('close', () => body.destroy());
  body.pipe(response);
}
