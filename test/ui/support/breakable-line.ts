import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A way to a server that can be cut, and restored: TCP in, TCP out. */
export class BreakableLine {
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  private constructor(
    private readonly server: Server,
    readonly address: string,
  ) {}

  static async to(target: string): Promise<BreakableLine> {
    const { hostname, port } = new URL(target);
    const server = createServer((socket) => line.carry(socket, hostname, Number(port)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const own = (server.address() as AddressInfo).port;
    const line = new BreakableLine(server, `http://127.0.0.1:${own}`);
    return line;
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
    await new Promise((resolve) => this.server.close(resolve));
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
      // A line that breaks is what this is for.
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }
}
