import { dataOf } from './event-stream';

const STREAM =
  'retry: 5\nid: 1\nevent: a\ndata: {"x":"ü"}\n\n: comment\n\nid: 2\nevent: b\ndata: 1\ndata: 2\n\n';
const EXPECTED = ['{"x":"ü"}', '1\n2'];

function streamOf(text: string, size = Infinity): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size)
        controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
}

async function read(stream: ReadableStream<Uint8Array>, silenceMs?: number): Promise<string[]> {
  const events: string[] = [];
  for await (const data of dataOf(stream, silenceMs)) events.push(data);
  return events;
}

describe('dataOf', () => {
  it.each([
    ['line feeds', STREAM],
    ['carriage returns and line feeds', STREAM.replaceAll('\n', '\r\n')],
  ])('reads the same events however the bytes are cut, with %s', async (_what, stream) => {
    for (let size = 1; size <= stream.length; size += 1) {
      expect(await read(streamOf(stream, size))).toEqual(EXPECTED);
    }
  });

  it('takes what JSON leaves unescaped for no end of a line', async () => {
    const data = '"a\u2028b\u2029c\u0085d"';
    expect(await read(streamOf(`event: a\ndata: ${data}\n\n`))).toEqual([data]);
  });

  it('passes by a byte order mark, and fields that it does not know', async () => {
    expect(await read(streamOf('\ufeffdata: 1\nretry: soon\nfoo: bar\n\n'))).toEqual(['1']);
  });

  it('keeps back an event that was cut off', async () => {
    expect(await read(streamOf('event: a\ndata: 1'))).toEqual([]);
  });

  it('gives up on a line that falls silent', async () => {
    const silent = new ReadableStream<Uint8Array>();
    await expect(read(silent, 1)).rejects.toThrow('silent');
  });
});
