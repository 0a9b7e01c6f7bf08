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
});
