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

  /** Each write and its time in ms; the client has read all of them. From `full` on the buffer is full. */
  async function writesOf(
    use: (writer: FrameWriter) => void,
    full = 'never',
  ): Promise<ReadonlyArray<readonly [at: number, chunk: string]>> {
    const writes: Array<readonly [number, string]> = [];
    const begun = performance.now();
    const server = createServer((incoming, outgoing) => {
      const write = outgoing.write.bind(outgoing) as (chunk: string) => boolean;
      outgoing.write = (chunk: string): boolean => {
        writes.push([performance.now() - begun, chunk]);
        return write(chunk) && !writes.some((one) => one[1] === full);
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
      expect(read).toBe(writes.map(([, chunk]) => chunk).join(''));
      return writes;
    } finally {
      server.close();
    }
  }

  it('writes the first delta at once, and those that follow within a picture in one moment', async () => {
    const writes = await writesOf((writer) => {
      for (let word = 1; word <= 9; word += 1) {
        void writer.writeDelta(`${word} `);
        jest.advanceTimersByTime(5);
      }
    });
    expect(writes.map(([at, chunk]) => `${at}: ${chunk}`)).toEqual([
      ...['0: 1 ', '16: 2 ', '16: 3 ', '16: 4 ', '32: 5 ', '32: 6 ', '32: 7 ', '45: 8 ', '45: 9 '],
    ]);
  });

  it('delays no delta that comes after a rest', async () => {
    const writes = await writesOf((writer) => {
      void writer.writeDelta('1 ');
      jest.advanceTimersByTime(16);
      void writer.writeDelta('2 ');
      expect(jest.getTimerCount()).toBe(1); // the heartbeat
    });
    expect(writes).toEqual([
      [0, '1 '],
      [16, '2 '],
    ]);
  });

  it('delays no other frame, and keeps the order', async () => {
    const writes = await writesOf((writer) => {
      void writer.writeDelta('1 ');
      void writer.writeDelta('2 ');
      void writer.write('call ');
      jest.advanceTimersByTime(1);
      void writer.writeDelta('3 ');
      void writer.writeDelta('4 ');
      jest.advanceTimersByTime(20);
    });
    expect(writes).toEqual([
      [0, '1 '],
      [0, '2 '],
      [0, 'call '],
      [1, '3 '],
      [17, '4 '],
    ]);
  });

  it('holds back no more than a connection does', async () => {
    const piece = 'x'.repeat(10_000);
    const writes = await writesOf((writer) => {
      for (let count = 1; count <= 3; count += 1) void writer.writeDelta(piece);
      jest.advanceTimersByTime(16);
    });
    expect(writes.map(([at]) => at)).toEqual([0, 0, 0]);
  });

  it('waits for a reader that is slow to take what was held', async () => {
    const use = (writer: FrameWriter): void => {
      expect(writer.writeDelta('1 ')).toBeUndefined();
      expect(writer.writeDelta('2 ')).toBeUndefined();
      jest.advanceTimersByTime(16);
      expect(writer.writeDelta('3 ')).toBeInstanceOf(Promise);
    };
    expect(await writesOf(use, '2 ')).toEqual([
      [0, '1 '],
      [16, '2 '],
      [16, '3 '],
    ]);
  });

  it('takes no time for events that its protocol does not tell', async () => {
    const writes = await writesOf((writer) => {
      void writer.writeDelta('');
      void writer.writeDelta('1 ');
      expect(jest.getTimerCount()).toBe(1);
    });
    expect(writes).toEqual([[0, '1 ']]);
  });
});
