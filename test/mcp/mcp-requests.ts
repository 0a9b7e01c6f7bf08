const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';

const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'test-client', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};

type Headers = Readonly<Record<string, string>>;

/** Single requests to an MCP endpoint, as no official client would send them. */
export class McpRequests {
  private nextId = 1;

  constructor(
    private readonly url: string,
    private readonly user?: string,
  ) {}

  /** A request of the current revision. */
  modern(method: string, params: object = {}, headers: Headers = {}): Promise<Response> {
    const { name } = params as { readonly name?: string };
    return this.send(this.message(method, { _meta: META, ...params }), {
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
      ...headers,
    });
  }

  /** A request of the last revision with a handshake. */
  legacy(
    method: string,
    params: object = {},
    headers: Headers = {},
    signal?: AbortSignal,
  ): Promise<Response> {
    const all = { 'mcp-protocol-version': LEGACY, ...headers };
    return this.send(this.message(method, params), all, signal);
  }

  /** The stream on which older clients hear of changes. */
  listen(): Promise<Response> {
    return fetch(this.url, {
      headers: {
        accept: 'text/event-stream',
        'mcp-protocol-version': LEGACY,
        ...this.authorization(),
      },
    });
  }

  send(body: string, headers: Headers = {}, signal?: AbortSignal): Promise<Response> {
    return fetch(this.url, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...this.authorization(),
        ...headers,
      },
      body,
      ...(signal && { signal }),
    });
  }

  private message(method: string, params: object): string {
    return JSON.stringify({ jsonrpc: '2.0', id: this.nextId++, method, params });
  }

  private authorization(): Headers {
    return this.user === undefined ? {} : { authorization: `Bearer ${this.user}` };
  }
}
