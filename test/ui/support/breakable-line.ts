import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { AppBrowser } from './app-browser';

/** A TCP proxy whose connections a test can cut and restore. */
export class BreakableLine {
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  private server?: Server;
  /** The proxy's address; known once the tests run. */
  address = '';

  async leadTo(target: string): Promise<void> {
    const { hostname, port } = new URL(target);
    const server = createServer((socket) => this.carry(socket, hostname, Number(port)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.server = server;
  }

  /** Drops every connection, and refuses new ones. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  restore(): void {
    this.isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  private carry(socket: Socket, host: string, port: number): void {
    if (this.isCut) {
      socket.destroy();
      return;
    }
    const other = connect(port, host);
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      this.sockets.add(from);
      from.pipe(to);
      // Broken connections are the purpose of this proxy.
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }
}

/** A line to an application, for the tests of the block around it. */
export function useLine(app: AppBrowser): BreakableLine {
  const line = new BreakableLine();
  beforeAll(() => line.leadTo(app.address));
  afterAll(() => line.close());
  return line;
}
