import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP proxy whose open connections can go silent, as after a failover without a reset. */
export class SilentLine {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  /** @param address the target of new connections */
  constructor(public address: string) {
    this.server = createServer((near) => {
      const { hostname, port } = new URL(this.address);
      const far = connect(Number(port) || 5432, hostname);
      for (const socket of [near, far]) {
        this.sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => this.sockets.delete(socket));
      }
      near.pipe(far).pipe(near);
    });
  }

  /** Host and port of the near end. */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Stops all traffic on the open connections; new ones work. */
  silence(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
