import { randomBytes } from 'node:crypto';
import { createServer, get, type IncomingMessage } from 'node:http';
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
});
