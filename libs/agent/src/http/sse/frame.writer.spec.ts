import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { TakenResponse } from '../wire';
import { FrameWriter } from './frame.writer';

const TIMES = { heartbeatMs: 15_000, stallMs: 60_000 };

describe('FrameWriter', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  });
  afterEach(() => void jest.useRealTimers());

  /** Each write to the connection; the client has read all of them. From `full` on the buffer is full. */
  async function writesOf(
    use: (writer: FrameWriter) => void,
    full = 'never',
  ): Promise<readonly string[]> {
    const writes: string[] = [];
    const server = createServer((incoming, outgoing) => {
      const write = outgoing.write.bind(outgoing) as (chunk: string) => boolean;
      outgoing.write = (chunk: string): boolean => {
        writes.push(chunk);
        return write(chunk) && !writes.includes(full);
      };
      const writer = new FrameWriter(new TakenResponse(incoming, outgoing), TIMES);
      use(writer);
      writer.close();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    try {
      const read = await new Promise<string>((resolve, reject) => {
        request({ port, agent: false }, (response) => resolve(text(response)))
          .once('error', reject)
          .end();
      });
      expect(read).toBe(writes.join(''));
      return writes;
    } finally {
      server.close();
    }
  }

  it('writes the first delta at once, and those that follow within a picture together', async () => {
    const writes = await writesOf((writer) => {
      for (let word = 1; word <= 9; word += 1) {
        void writer.writeDelta(`${word} `);
        jest.advanceTimersByTime(5);
      }
    });
    expect(writes).toEqual(['1 ', '2 3 4 ', '5 6 7 ', '8 9 ']);
  });

  it('delays no delta that comes after a rest', async () => {
    const writes = await writesOf((writer) => {
      void writer.writeDelta('1 ');
      jest.advanceTimersByTime(16);
      void writer.writeDelta('2 ');
      expect(jest.getTimerCount()).toBe(1); // the heartbeat
    });
    expect(writes).toEqual(['1 ', '2 ']);
  });

  it('delays no other frame, and keeps the order', async () => {
    const writes = await writesOf((writer) => {
      void writer.writeDelta('1 ');
      void writer.writeDelta('2 ');
      void writer.write('call ');
      void writer.write('result ');
      void writer.writeDelta('3 ');
      void writer.writeDelta('4 ');
    });
    expect(writes).toEqual(['1 ', '2 call ', 'result ', '3 ', '4 ']);
  });

  it('holds back no more than a connection does', async () => {
    const piece = 'x'.repeat(10_000);
    const writes = await writesOf((writer) => {
      for (let count = 1; count <= 4; count += 1) void writer.writeDelta(piece);
    });
    expect(writes.map(({ length }) => length)).toEqual([10_000, 20_000, 10_000]);
  });

  it('waits for a reader that is slow to take what was held', async () => {
    const use = (writer: FrameWriter): void => {
      expect(writer.writeDelta('1 ')).toBeUndefined();
      expect(writer.writeDelta('2 ')).toBeUndefined();
      jest.advanceTimersByTime(16);
      expect(writer.writeDelta('3 ')).toBeInstanceOf(Promise);
    };
    expect(await writesOf(use, '2 ')).toEqual(['1 ', '2 ', '3 ']);
  });

  it('takes no time for events that its protocol does not tell', async () => {
    const writes = await writesOf((writer) => {
      void writer.writeDelta('');
      void writer.writeDelta('1 ');
      expect(jest.getTimerCount()).toBe(1);
    });
    expect(writes).toEqual(['1 ']);
  });
});
