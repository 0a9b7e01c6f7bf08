import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP proxy to a server, which a test can cut and restore. */
export class CuttableLine {
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  private refusals = 0;
  private onRefusal: () => void = () => undefined;

  private constructor(private readonly server: Server) {}

  static async to(host: string, port: number): Promise<CuttableLine> {
    const server = createServer();
    const line = new CuttableLine(server);
    server.on('connection', (near) => line.join(near, connect(port, host)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return line;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** From now on connections break as soon as they are made. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
  }

  /** Resolves when so many connections were refused. */
  async refused(count: number): Promise<void> {
    while (this.refusals < count) await new Promise<void>((resolve) => (this.onRefusal = resolve));
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(near: Socket, far: Socket): void {
    if (this.isCut) {
      this.refusals++;
      this.onRefusal();
      near.destroy();
      far.destroy();
      return;
    }
    const pair: readonly [Socket, Socket][] = [
      [near, far],
      [far, near],
    ];
    for (const [socket, other] of pair) {
      this.sockets.add(socket);
      socket.setNoDelay();
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
