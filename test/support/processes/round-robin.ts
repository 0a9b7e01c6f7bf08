import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that gives each request to the next of its servers, as a load balancer does. */
export class RoundRobin {
  private next = 0;

  private constructor(
    private readonly server: http.Server,
    /** The servers' addresses, to be changed as they come and go. */
    public targets: readonly string[],
  ) {}

  static async open(targets: readonly string[]): Promise<RoundRobin> {
    const server = http.createServer();
    const proxy = new RoundRobin(server, targets);
    server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
      proxy.pass(request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private pass(request: http.IncomingMessage, response: http.ServerResponse): void {
    const target = this.targets[this.next++ % this.targets.length] ?? '';
    const { method = 'GET', url = '', headers } = request;
    const upstream = http.request(`${target}${url}`, { method, headers, agent: false });
    upstream.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      // A server that dies in the middle of an answer is to be seen to.
      answer.on('error', () => response.destroy());
    });
    upstream.on('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    response.on('close', () => upstream.destroy());
    request.pipe(upstream);
  }
}
