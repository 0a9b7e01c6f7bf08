import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { openai } from 'nestjs-agent';
import { anthropic } from 'nestjs-agent/anthropic';
import { Agent, getGlobalDispatcher, setGlobalDispatcher, type Dispatcher } from 'undici';
import {
  collect,
  DONE,
  finish,
  type Handler,
  ModelServer,
  serverForEachTest,
  text,
  textIn,
} from './support/models';

const ANSWER = { chunks: [text('Hello'), finish('stop'), DONE] };

/** Has everybody's requests go through a dispatcher for a while. */
async function through(dispatcher: Dispatcher, use: () => Promise<void>): Promise<void> {
  const before = getGlobalDispatcher();
  setGlobalDispatcher(dispatcher);
  try {
    await use();
  } finally {
    setGlobalDispatcher(before);
    await dispatcher.close();
  }
}

describe('the connection to a model', () => {
  const server = serverForEachTest();
  const model = (options: Parameters<typeof openai>[0] = {}) =>
    openai({ model: 'm', apiKey: 'k', baseURL: server.url, retry: { maxAttempts: 1 }, ...options });

  it('is used again, though the response ends after its last event', async () => {
    const sockets: Socket[] = [];
    const late = (response: ServerResponse) => {
      if (response.socket) sockets.push(response.socket);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(ANSWER.chunks.join(''));
      setImmediate(() => setImmediate(() => response.end()));
    };
    server.on(late, late, late);
    // With one connection a call waits until the one before it is over, so none opens its own.
    await through(new Agent({ connections: 1 }), async () => {
      for (let call = 0; call < 3; call += 1) {
        expect(textIn((await collect(model())).events)).toBe('Hello');
      }
    });
    expect(sockets).toHaveLength(3);
    expect(new Set(sockets.map(({ remotePort }) => remotePort)).size).toBe(1);
  });

  it.each(['localhost:8000/v1', '127.0.0.1:8000/v1', 'ftp://models.example/v1', '/v1'])(
    'names an address that is none, and tries once: %s',
    async (baseURL) => {
      const expected = {
        code: 'model_not_found',
        isRetryable: false,
        message:
          'The base URL of the model m is not a web address. It must begin with http:// or https://.',
      };
      const { error } = await collect(model({ baseURL, retry: { maxAttempts: 3 } }));
      expect(error).toMatchObject(expected);
      const other = await collect(anthropic({ model: 'm', apiKey: 'k', baseURL }));
      expect(other.error).toMatchObject(expected);
    },
  );

  it.each(['http://user:secret@127.0.0.1:8000/v1', 'http://user@127.0.0.1:8000/v1'])(
    'refuses credentials within an address, and does not repeat them: %s',
    async (baseURL) => {
      const expected = { code: 'model_authentication', isRetryable: false };
      for (const refused of [openai, anthropic] as const) {
        const { error } = await collect(refused({ model: 'm', apiKey: 'k', baseURL }));
        expect(error).toMatchObject(expected);
        expect(error).toHaveProperty('message', expect.stringMatching(/headers: \{ Authorization/));
        expect(error).toHaveProperty('message', expect.not.stringMatching(/secret/));
      }
    },
  );

  it('ignores spaces around an address, also that of the environment', async () => {
    const address = ` ${server.url} \n`;
    const given = process.env['OPENAI_BASE_URL'];
    process.env['OPENAI_BASE_URL'] = address;
    try {
      for (const options of [{ baseURL: address }, {}]) {
        server.on(ANSWER);
        expect(textIn((await collect(openai({ ...options, apiKey: 'k' }))).events)).toBe('Hello');
      }
    } finally {
      if (given === undefined) delete process.env['OPENAI_BASE_URL'];
      else process.env['OPENAI_BASE_URL'] = given;
    }
    server.on(ANSWER);
    const retry = { maxAttempts: 1 };
    const root = address.replace('/v1', '');
    await collect(anthropic({ model: 'm', apiKey: 'k', baseURL: root, retry }));
    const chat = '/v1/chat/completions';
    expect(server.requests.map(({ path }) => path)).toEqual([chat, chat, '/v1/messages']);
  });

  it('is closed where the response does not end after its last event', async () => {
    server.on({ ...ANSWER, end: 'never' });
    expect(textIn((await collect(model())).events)).toBe('Hello');
    await server.settled();
  });

  it('is closed at once where the reader leaves', async () => {
    server.on({ chunks: [text('Hello')], end: 'never' });
    const { signal } = new AbortController();
    for await (const event of model().stream({ messages: [], tools: [] }, { signal })) {
      expect(event).toEqual({ type: 'text.delta', delta: 'Hello' });
      break;
    }
    await server.settled();
  });

  it('goes through the dispatcher that was set for fetch', async () => {
    const asked: string[] = [];
    const proxy = new Agent().compose(
      (dispatch) => (options: Dispatcher.DispatchOptions, handler) => {
        asked.push(String(options.origin));
        return dispatch(options, handler);
      },
    );
    server.on(ANSWER);
    await through(proxy, async () => {
      expect(textIn((await collect(model())).events)).toBe('Hello');
    });
    expect(asked).toEqual([new URL(server.url).origin]);
  });

  it.each([
    ['its own', undefined],
    ["the application's", fetch],
  ])('follows a redirection within its origin, with %s fetch', async (_, own) => {
    server.on((response) => {
      response.writeHead(307, { location: '/v2/chat/completions' }).end();
    }, ANSWER);
    const { events } = await collect(model(own && { fetch: own }));
    expect(textIn(events)).toBe('Hello');
    const { body, headers, path } = server.requests[1] ?? {};
    expect(path).toBe('/v2/chat/completions');
    expect(body).toMatchObject({ model: 'm', stream: true });
    expect(headers).toMatchObject({ authorization: 'Bearer k' });
  });

  it.each([
    ['its own', undefined],
    ["the application's", fetch],
  ])('follows no other redirection, with %s fetch', async (_, own) => {
    const elsewhere = await ModelServer.start();
    try {
      for (const status of [301, 302, 303, 307, 308]) {
        server.on((response) => {
          response.writeHead(status, { location: `${elsewhere.url}/chat/completions` }).end();
        });
        const { error } = await collect(
          model({ ...(own && { fetch: own }), headers: { key: 'k' } }),
        );
        expect(error).toMatchObject({ code: 'model_not_found' });
      }
      expect(elsewhere.requests).toEqual([]);
      const again: Handler = (response) => {
        response.writeHead(307, { location: '/v1/chat/completions' }).end();
      };
      server.on(...Array<Handler>(20).fill(again));
      const { error } = await collect(model(own && { fetch: own }));
      expect(error).toMatchObject({ code: 'model_not_found' });
      expect(server.requests.length).toBeLessThan(20);
    } finally {
      await elsewhere.stop();
    }
  });

  it.each([
    ['its own', undefined],
    ["the application's", fetch],
  ])('follows no redirection without an address, with %s fetch', async (_, own) => {
    server.on((response) => {
      response.writeHead(307).end();
    }, ANSWER);
    const { error } = await collect(model(own && { fetch: own }));
    expect(error).toMatchObject({ code: 'model_not_found' });
    expect(server.requests).toHaveLength(1);
  });

  it('reads what is compressed, though nobody asked for that', async () => {
    const answer = ANSWER.chunks.join('');
    for (const [coding, bytes] of [
      ['gzip', gzipSync(answer)],
      ['br', brotliCompressSync(answer)],
      ['deflate', deflateSync(answer)],
    ] as const) {
      server.on({ headers: { 'content-encoding': coding }, chunks: [bytes] });
      expect(textIn((await collect(model())).events)).toBe('Hello');
      server.on({ headers: { 'content-encoding': coding }, chunks: ['no such thing'] });
      expect((await collect(model())).error).toMatchObject({ code: 'model_unavailable' });
    }
    await server.settled();
  });

  it('begins behind a byte order mark', async () => {
    server.on({ chunks: [Buffer.of(0xef), Buffer.of(0xbb, 0xbf), ...ANSWER.chunks] });
    expect(textIn((await collect(model())).events)).toBe('Hello');
  });

  it("reads what a fetch of the application's own answers, and closes it with the call", async () => {
    server.on(ANSWER, { chunks: [text('Hello')], end: 'never' });
    // It takes no signal, so that nobody but the model's reader can end it.
    const own: typeof fetch = (input, init) => fetch(input, { ...init, signal: null });
    expect(textIn((await collect(model({ fetch: own }))).events)).toBe('Hello');
    const abort = new AbortController();
    const events = model({ fetch: own }).stream(
      { messages: [], tools: [] },
      { signal: abort.signal },
    );
    await expect(
      (async () => {
        for await (const event of events) {
          expect(event).toMatchObject({ delta: 'Hello' });
          abort.abort();
        }
      })(),
    ).rejects.toMatchObject({ name: 'AbortError' });
    await server.settled();
  });

  it('ends a call at once whose fetch or key never comes, and closes what comes too late', async () => {
    let answer = (): void => undefined;
    server.on((response) => {
      answer = () => void response.writeHead(200).write(text('Hello'));
    });
    const deaf: typeof fetch = (input, init) => fetch(input, { ...init, signal: null });
    const never = () => new Promise<string>(() => undefined);
    for (const options of [{ fetch: deaf }, { apiKey: never }]) {
      const abort = new AbortController();
      const call = collect(model(options), {}, abort.signal);
      if ('fetch' in options) await server.received(1);
      abort.abort();
      expect((await call).error).toMatchObject({ name: 'AbortError' });
    }
    answer();
    await server.settled();
  });

  it('takes the status of a refusal that never ends for all it says', async () => {
    const cut = { chunks: ['{"error":'], end: 'never' } as const;
    server.on({ ...cut, status: 401 });
    expect((await collect(model())).error).toMatchObject({ code: 'model_authentication' });
    server.on({ ...cut, status: 307, headers: { location: '/v2/chat/completions' } }, ANSWER);
    expect(textIn((await collect(model())).events)).toBe('Hello');
    await server.settled();
  });

  it("takes nobody else's abort for a cancel", async () => {
    const aborted = Object.assign(new Error('aborted'), { name: 'AbortError' });
    const said = [Buffer.from(text('Hello'))];
    const own = async () => {
      const pull = (controller: ReadableStreamDefaultController): void => {
        const bytes = said.shift();
        if (bytes === undefined) controller.error(aborted);
        else controller.enqueue(bytes);
      };
      return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
    };
    const { events, error } = await collect(model({ fetch: own }));
    expect(textIn(events)).toBe('Hello');
    expect(error).toMatchObject({ code: 'model_unavailable', cause: aborted });
  });

  it('joins characters whose bytes come apart', async () => {
    const bytes = Buffer.from(`${text('Grüße 🚀 日本')}${finish('stop')}${DONE}`);
    server.on({ chunks: [...bytes].map((byte) => Buffer.of(byte)) });
    expect(textIn((await collect(model())).events)).toBe('Grüße 🚀 日本');
  });
});
