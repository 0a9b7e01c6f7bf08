import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Barrier } from 'nestjs-agent/testing';
import { ADAPTERS, Closers } from './http/agent-app';
import { SseStream } from './http/sse-client';

const alice = { authorization: 'Bearer alice' };

describe.each(ADAPTERS)('an application on %s that shuts down', (adapter) => {
  const apps = new Closers();
  // As a proxy: one connection for all requests.
  const proxy = new Agent({ keepAlive: true, maxSockets: 1 });

  afterEach(async () => {
    proxy.destroy();
    await apps.close();
  });

  const connectionAfter = async (url: string): Promise<string | undefined> => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      get(url, { agent: proxy, headers: alice }, resolve).once('error', reject),
    );
    await text(answer);
    expect(answer.statusCode).toBe(200);
    return answer.headers.connection;
  };

  it('closes the connection of each answer, so that no request meets a closed one', async () => {
    const gate = new Barrier();
    const { app, url } = await apps.open({
      adapter,
      shutdown: { drainMs: 60_000 },
      steps: [[{ type: 'text.delta', delta: 'One' }, gate, { type: 'finish', reason: 'end_turn' }]],
    });
    const stream = await SseStream.open(`${url}/agent/chat/stream`, {
      headers: alice,
      body: { message: 'hi' },
    });
    await gate.reached;
    for (const path of ['notes/1', 'agent/tools']) {
      await expect(connectionAfter(`${url}/${path}`)).resolves.toBe('keep-alive');
    }

    const closing = app.close();
    for (const path of ['notes/1', 'agent/tools']) {
      await expect(connectionAfter(`${url}/${path}`)).resolves.toBe('close');
    }
    gate.open();
    expect((await stream.all()).at(-1)).toMatchObject({ status: 'completed' });
    await closing;
  });
});
