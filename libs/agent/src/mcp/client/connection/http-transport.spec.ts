/**
 * Not in the shared scope, where `fetch` would keep a fake timer.
 *
 * @jest-environment node
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { httpTransport } from './http-transport';
import { OutgoingScope } from './outgoing';

/** Real I/O goes on while the pauses of the transport are skipped. */
const ROUND = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a stream that ends before its answer', () => {
  let server: Server;
  let transport: StreamableHTTPClientTransport;
  let resumed = 0;
  let ended = false;
  let lost: jest.Mock;

  /** A server whose call ends its stream at once, and which refuses to resume it. */
  async function callWith(retry: string): Promise<void> {
    [resumed, ended] = [0, false];
    server = createServer((request, response) => {
      if (request.method === 'GET') {
        resumed += 1;
        return response.writeHead(500).end();
      }
      response.on('close', () => (ended = true));
      return response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`id: 1\n${retry}data: \n\n`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    lost = jest.fn();
    transport = httpTransport({ url }, new OutgoingScope(), lost);
    transport.onerror = () => undefined;
    await transport.start();
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' } as never);
    await until(() => ended && jest.getTimerCount() > 0);
  }

  async function until(isSo: () => boolean): Promise<void> {
    for (const end = performance.now() + 10_000; !isSo(); await ROUND()) {
      if (performance.now() > end) throw new Error(`It did not come to be: ${String(isSo)}`);
    }
  }

  beforeEach(() => {
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'],
    });
  });

  afterEach(async () => {
    jest.useRealTimers();
    await transport.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is resumed three times; then the connection is lost', async () => {
    await callWith('');
    await until(() => {
      jest.advanceTimersByTime(100);
      return lost.mock.calls.length > 0;
    });
    expect(resumed).toBe(3);
    expect(lost).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['a longer pause that the server asks for is kept', 'retry: 5000\n', 4_990, 5_000],
    ['a pause of nothing is not', 'retry: 0\n', 499, 1_000],
    ['a pause beyond all timers is no loop', 'retry: 99999999999\n', 60_000_000, 2 ** 31],
  ])('is resumed after a pause: %s', async (_case, retry, tooEarlyMs, laterMs) => {
    await callWith(retry);
    jest.advanceTimersByTime(tooEarlyMs);
    for (let round = 0; round < 20; round += 1) await ROUND();
    expect(resumed).toBe(0);
    jest.advanceTimersByTime(laterMs - tooEarlyMs);
    await until(() => resumed === 1);
  });
});
