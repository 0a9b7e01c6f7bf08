import http from 'node:http';
import { EventSource } from 'eventsource';
import request from 'supertest';
import { Barrier } from 'nestjs-agent/testing';
import { ADAPTERS, Closers } from './http/agent-app';
import { SseStream } from './http/sse-client';

const alice = { authorization: 'Bearer alice' };

describe.each(ADAPTERS)('reading the events of a run again on %s', (adapter) => {
  const apps = new Closers();
  afterEach(() => apps.close());

  it('replays all, or what follows Last-Event-ID, and 204 where nothing follows', async () => {
    const { url } = await apps.open({ adapter, steps: [{ text: ['One ', 'two ', 'three.'] }] });
    const { body } = await request(url).post('/agent/chat').set(alice).send({ message: 'count' });
    const { runId } = body as { runId: string };
    const events = `${url}/agent/runs/${runId}/events`;
    const all = await (await SseStream.open(events, { headers: alice })).all();
    expect(all.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const rest = await SseStream.open(events, { headers: { ...alice, 'last-event-id': '4' } });
    expect(await rest.all()).toEqual(all.slice(4));
    const over = await SseStream.open(events, { headers: { ...alice, 'last-event-id': '7' } });
    await over.all();
    expect({ status: over.status, text: over.text }).toEqual({ status: 204, text: '' });
    const odd = await request(events).get('').set(alice).set('Last-Event-ID', 'soon');
    expect(odd.body).toMatchObject({ statusCode: 400, code: 'invalid_request' });
    const head = await request(events).head('').set(alice);
    expect(head.status).toBe(204);
  });

  it('goes on with a run whose client left, where that is configured', async () => {
    const gate = new Barrier();
    const { url } = await apps.open({
      adapter,
      onDisconnect: 'continue',
      steps: [
        [
          { type: 'text.delta', delta: 'One ' },
          gate,
          { type: 'text.delta', delta: 'two.' },
          { type: 'finish', reason: 'end_turn' },
        ],
      ],
    });
    const first = await SseStream.open(`${url}/agent/chat/stream`, {
      headers: alice,
      body: { message: 'count' },
    });
    const { runId } = await first.next('run.started');
    const { seq } = await first.next('text.delta');
    await gate.reached;
    first.drop();
    const again = await SseStream.open(`${url}/agent/runs/${runId}/events`, {
      headers: { ...alice, 'last-event-id': String(seq) },
    });
    expect(again.status).toBe(200);
    gate.open();
    const events = await again.all();
    expect(events[0]).toMatchObject({ type: 'text.delta', delta: 'two.', seq: seq + 1 });
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', message: 'One two.' });
  });

  it('loses and repeats nothing for an EventSource whose connection breaks again and again', async () => {
    const words = Array.from({ length: 40 }, (_, index) => `word-${index} `);
    const { url } = await apps.open({ adapter, steps: [{ text: words }] });
    const { body } = await request(url).post('/agent/chat').set(alice).send({ message: 'go' });
    const { runId } = body as { runId: string };
    const proxy = await BreakingProxy.open(url, alice);
    const source = new EventSource(`${proxy.url}/agent/runs/${runId}/events`);
    const seqs: number[] = [];
    const ids: string[] = [];
    let text = '';
    const take = (event: MessageEvent): void => {
      const data = JSON.parse(String(event.data)) as { seq: number; delta?: string };
      ids.push(event.lastEventId);
      seqs.push(data.seq);
      text += data.delta ?? '';
    };
    for (const type of ['run.started', 'step.started', 'text.delta', 'step.finished']) {
      source.addEventListener(type, take);
    }
    await new Promise<void>((resolve) => {
      source.addEventListener('run.finished', (event: MessageEvent) => {
        take(event);
        resolve();
      });
    });
    // It comes back once more, hears 204, and stays away.
    await new Promise<void>((resolve) => {
      source.addEventListener('error', () => {
        if (source.readyState === EventSource.CLOSED) resolve();
      });
    });
    await proxy.close();
    expect(text).toBe(words.join(''));
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(ids).toEqual(seqs.map(String));
    expect(proxy.connections).toBeGreaterThan(5);
  });
});

/** Passes requests on and cuts every answer off after some bytes. */
class BreakingProxy {
  connections = 0;

  private constructor(
    private readonly server: http.Server,
    readonly url: string,
  ) {}

  static async open(
    target: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<BreakingProxy> {
    const proxy: { current?: BreakingProxy } = {};
    const server = http.createServer((incoming, outgoing) => {
      if (proxy.current) proxy.current.connections += 1;
      const call = http.request(`${target}${incoming.url ?? ''}`, {
        headers: { ...incoming.headers, ...headers },
        agent: false,
      });
      call.on('error', () => undefined);
      call.on('response', (response) => {
        response.on('error', () => undefined);
        outgoing.writeHead(response.statusCode ?? 500, response.headers);
        if (response.statusCode === 200) outgoing.write('retry: 1\n\n');
        let sent = 0;
        response.on('data', (chunk: Buffer) => {
          outgoing.write(chunk);
          sent += chunk.length;
          if (sent < 600) return;
          call.destroy();
          outgoing.socket?.destroySoon();
        });
        response.on('end', () => outgoing.end());
      });
      call.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    proxy.current = new BreakingProxy(server, `http://127.0.0.1:${port}`);
    return proxy.current;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
