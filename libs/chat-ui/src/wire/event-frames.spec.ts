import { framesOf } from './event-frames';

const STREAM =
  'id: 1\nevent: a\ndata: {"x":"ü"}\n\n: comment\n\nid: 2\nevent: b\ndata: 1\ndata: 2\n\n';

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

async function read(stream: ReadableStream<Uint8Array>, silenceMs?: number): Promise<unknown[]> {
  const frames: unknown[] = [];
  for await (const frame of framesOf(stream, silenceMs)) frames.push(frame);
  return frames;
}

describe('framesOf', () => {
  const expected = [
    { event: 'a', data: '{"x":"ü"}' },
    { event: 'b', data: '1\n2' },
  ];

  it('reads the same frames however the bytes are cut', async () => {
    const bytes = new TextEncoder().encode(STREAM);
    for (let size = 1; size <= bytes.length; size += 1) {
      const chunks: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.slice(at, at + size));
      expect(await read(streamOf(chunks))).toEqual(expected);
    }
  });

  it('reads frames whose lines end in carriage returns', async () => {
    const bytes = new TextEncoder().encode(STREAM.replaceAll('\n', '\r\n'));
    expect(await read(streamOf([bytes]))).toEqual(expected);
  });

  it('takes what JSON leaves unescaped for no end of a line', async () => {
    const data = '"a\u2028b\u2029c\u0085d"';
    const bytes = new TextEncoder().encode(`event: a\ndata: ${data}\n\n`);
    expect(await read(streamOf([bytes]))).toEqual([{ event: 'a', data }]);
  });

  it('keeps back a frame that was cut off', async () => {
    const bytes = new TextEncoder().encode('event: a\ndata: 1');
    expect(await read(streamOf([bytes]))).toEqual([]);
  });

  it('gives up on a line that falls silent', async () => {
    const silent = new ReadableStream<Uint8Array>();
    await expect(read(silent, 1)).rejects.toThrow('silent');
  });
});
