import { randomBytes } from 'node:crypto';
import { createServer, get, type IncomingMessage } from 'node:http';
import { connect, constants, createServer as createHttp2Server } from 'node:http2';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import compression from 'compression';
import { TakenResponse } from './taken-response';

describe('TakenResponse', () => {
  it('has Node warn of no leak where a compressed answer waits often', async () => {
    const warnings: string[] = [];
    const warned = ({ name }: Error) => warnings.push(name);
    process.on('warning', warned);
    const compress = compression({ threshold: 0 });
    let [waits, atOnce, most] = [0, 0, 0];
    const server = createServer((request, response) => {
      compress(request as never, response as never, () => {
        const taken = new TakenResponse(request, response);
        taken.head(200, { 'content-type': 'text/plain' });
        const send = (left: number): void => {
          if (left === 0) return taken.end();
          if (taken.write(randomBytes(50_000).toString('hex'))) return send(left - 1);
          waits += 1;
          taken.onceReady(() => {
            most = Math.max(most, (atOnce += 1));
            queueMicrotask(() => (atOnce = 0));
            send(left - 1);
          });
        };
        send(20);
      });
    }).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const headers = { 'accept-encoding': 'gzip' };
      const [answer] = (await once(get({ port, headers }), 'response')) as [IncomingMessage];
      expect(answer.headers['content-encoding']).toBe('gzip');
      await once(answer.resume(), 'end');
      expect([waits, most]).toEqual([20, 1]);
      expect(warnings).not.toContain('MaxListenersExceededWarning');
    } finally {
      process.off('warning', warned);
      server.close();
    }
  });

  it('is over once its client has reset its HTTP/2 stream', async () => {
    let answered!: (taken: TakenResponse) => void;
    const answering = new Promise<TakenResponse>((resolve) => (answered = resolve));
    const server = createHttp2Server((request, response) => {
      const taken = new TakenResponse(request, response);
      taken.head(200, {});
      taken.write('First');
      answered(taken);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    try {
      const stream = client.request();
      const taken = await answering;
      const disconnected = new Promise<void>((resolve) => void taken.onDisconnect(resolve));
      await once(stream, 'data');
      expect(taken.isOver).toBe(false);
      stream.close(constants.NGHTTP2_CANCEL);
      await disconnected;
      expect(taken.isOver).toBe(true);
    } finally {
      client.destroy();
      server.close();
    }
  });
});
