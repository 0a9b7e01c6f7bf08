import { boundedResponse } from './response-bounds';

async function read(type: string, pieces: readonly string[], maxBytes: number) {
  let canResume: boolean | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const response = new Response(body, { headers: { 'content-type': type } });
  const ended = (can: boolean) => void (canResume = can);
  const text = await boundedResponse(response, ended, maxBytes)
    .text()
    .catch(() => 'refused');
  return { text, canResume };
}

describe('a response', () => {
  it('may be as long as a message may be', async () => {
    expect(await read('application/json', ['12345', '67890'], 10)).toMatchObject({
      text: '1234567890',
    });
    expect(await read('application/json', ['12345', '678901'], 10)).toMatchObject({
      text: 'refused',
    });
  });

  it('that is a stream may be longer, but not one of its events', async () => {
    const event = 'data: 1\n\n';
    const many = Array.from({ length: 50 }, () => event);
    expect((await read('text/event-stream', many, 10)).text).toHaveLength(450);
    const split = [...event.repeat(20)];
    expect((await read('text/event-stream', split, 10)).text).toHaveLength(180);
    const windows = 'data: 1\r\n\r\n'.repeat(20);
    expect((await read('text/event-stream', [windows], 12)).text).toHaveLength(220);
    expect(await read('text/event-stream', ['data: 1', '2345', '67890'], 10)).toMatchObject({
      text: 'refused',
    });
  });

  it('that is a stream is refused for an event that is too long, also where it came whole', async () => {
    const fitting = 'data: 1234567890\n\n';
    expect(await read('text/event-stream', [fitting], 10)).toMatchObject({ text: fitting });
    const longer = ['data: 12345678901\n\n', 'data: 12345\ndata: 67890\n\n'];
    for (const event of longer)
      expect(await read('text/event-stream', [event], 10)).toMatchObject({ text: 'refused' });
  });

  it.each([
    [['id: 1\ndata: 2\n\n'], true],
    [['data: 1\ni', 'd', ': 2\n\n'], true],
    [['data: 1\n\n: id: 5\n\n'], false],
    [['data: id: 1\n\n'], false],
    [['data: 1\n\nid: 2\ndata: bro'], false],
    [['id:\ndata: 1\n\n'], false],
    [[], false],
  ])('tells at its end whether it can be resumed: %j', async (pieces, canResume) => {
    expect(await read('text/event-stream', pieces, 100)).toMatchObject({ canResume });
  });
});
