// Opens many streams at once from a separate process, so that the server's figures exclude clients.
import { once } from 'node:events';
import { Agent, request } from 'node:http';

/** The clients' reports: when every stream has begun, and when every stream has ended. */
export type ClientsReport =
  | { readonly type: 'begun'; readonly firstEventMs: readonly number[] }
  | { readonly type: 'ended'; readonly sessionIds: readonly string[] };

const agent = new Agent({ maxSockets: Infinity });

/** One stream: `begun` resolves at its first event, `ended` with its session's id. */
function openStream(url: string): { begun: Promise<number>; ended: Promise<string> } {
  const start = performance.now();
  const sent = request(`${url}/agent/chat/stream`, {
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
  });
  const read = async (): Promise<[number, string]> => {
    const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
    const [first] = (await once(response.setEncoding('utf8'), 'data')) as [string];
    return [performance.now() - start, first];
  };
  const reading = read();
  const ended = async (): Promise<string> => {
    const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
    const closed = once(response, 'end');
    const [, first] = await reading;
    await closed;
    return /"sessionId":"([^"]+)"/.exec(first)?.[1] ?? '';
  };
  const opened = { begun: reading.then(([ms]) => ms), ended: ended() };
  sent.end(JSON.stringify({ message: 'Tell me what happened today.' }));
  return opened;
}

async function round(url: string, count: number): Promise<void> {
  const streams = Array.from({ length: count }, () => openStream(url));
  const firstEventMs = await Promise.all(streams.map(({ begun }) => begun));
  process.send?.({ type: 'begun', firstEventMs } satisfies ClientsReport);
  const sessionIds = await Promise.all(streams.map(({ ended }) => ended));
  process.send?.({ type: 'ended', sessionIds } satisfies ClientsReport);
}

if (require.main === module) {
  process.on('message', ({ url, count }: { readonly url: string; readonly count: number }) => {
    void round(url, count);
  });
}
