import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Barrier } from 'nestjs-agent/testing';
import { ADAPTERS, Closers } from './http/agent-app';
import { SseStream } from './http/sse-client';

const alice = { authorization: 'Bearer alice' };

describe.each(ADAPTERS)('an application on %s that shuts down', (adapter) => {
  const apps = new Closers();
  // Like a proxy: one connection for all requests.
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

  describe('after a signal', () => {
    const POST = [
      'POST /agent/chat HTTP/1.1',
      'host: x',
      'authorization: Bearer alice',
      'content-type: application/json',
      'content-length: 16',
      '',
      '{"message":"hi"}',
    ].join('\r\n');
    const stopped = (app: { close(signal?: string): Promise<void> }) => app.close('SIGTERM');

    /** All that a connection brings until its end; the error if it is reset. */
    const answerOn = (socket: Socket): Promise<string> =>
      text(socket).catch((error: Error) => String(error));

    it('answers a request that is on its way over an idle connection as it stops listening', async () => {
      const { app, url } = await apps.open({ adapter });
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      const first = once(socket, 'data');
      socket.write('GET /notes/1 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer alice\r\n\r\n');
      await first;
      const server = app.getHttpServer() as Server;
      const close = Server.prototype.close;
      const closed = jest.spyOn(Server.prototype, 'close').mockImplementation(function (
        this: Server,
        ...args
      ) {
        if (this === server && server.listening) socket.write(POST);
        return close.apply(this, args);
      });
      const answer = answerOn(socket);
      await stopped(app);
      closed.mockRestore();
      expect(await answer).toMatch(/^HTTP\/1.1 503 /);
      expect(await answer).toMatch(/^connection: close\r$/im);
    });

    it('answers requests on connections that it had not accepted yet', async () => {
      const { app, url } = await apps.open({ adapter });
      const answers = Array.from({ length: 20 }, () => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1');
        socket.write(POST);
        return answerOn(socket);
      });
      await stopped(app);
      for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 503 /);
    });
  });
});
