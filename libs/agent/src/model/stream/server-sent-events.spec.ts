import { setImmediate as turn } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { ServerSentEvents } from './server-sent-events';

const MEGABYTE = Buffer.from(`data: ${'x'.repeat(1024 * 1024)}\n\n`);

describe('ServerSentEvents', () => {
  it('has the server wait while large events wait for their reader', async () => {
    let sent = 0;
    const body = new Readable({
      read() {
        sent += 1;
        this.push(sent <= 100 ? MEGABYTE : null);
      },
    });
    const events = new ServerSentEvents(body, () => undefined);
    for (let count = 0; count < 500; count += 1) await turn();
    expect(sent).toBeLessThan(10);
    let read = 0;
    for await (const batch of events) read += batch.length;
    expect(read).toBe(100);
  });

  it.each([
    ['an event without data, which some proxies send to keep a connection', 'data:\n\n'],
    ['a comment', ': keep-alive\n\n'],
    ['the name of an event alone', 'event: ping\n\n'],
  ])('passes nothing on of %s', async (_, frame) => {
    const body = Readable.from([Buffer.from(`data: 1\n\n${frame}${frame}data: 2\n\n`)]);
    const data: string[] = [];
    for await (const batch of new ServerSentEvents(body, () => undefined))
      data.push(...batch.map((event) => event.data));
    expect(data).toEqual(['1', '2']);
  });
});
