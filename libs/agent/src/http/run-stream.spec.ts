import { once } from 'node:events';
import { ServerResponse } from 'node:http';
import net from 'node:net';
import { ADAPTERS, httpApp, type HttpAppOptions } from './fixtures/http-app';
import { HELLO, ScriptedRun } from './fixtures/scripted-agent';
import type { StartOptions } from '../run';

const BODY = JSON.stringify({ message: 'hi' });
const REQUEST = [
  'POST /agent/chat/stream HTTP/1.1',
  'Host: localhost',
  'Content-Type: application/json',
  `Content-Length: ${BODY.length}`,
  '',
  BODY,
].join('\r\n');

/** A run whose second event cannot be read. */
const unreadable = () =>
  Promise.resolve({
    runId: 'run_1',
    sessionId: 'ses_1',
    finished: new Promise(() => undefined),
    async *events() {
      yield { type: 'text.delta', delta: 'x', runId: 'run_1', seq: 1 };
      await Promise.resolve();
      throw new Error('secret');
    },
  });

describe.each(ADAPTERS)('an event stream on %s, seen from the socket', (adapter) => {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  const serve = async (options: Omit<HttpAppOptions, 'adapter'>) => {
    const app = await httpApp({ ...options, adapter });
    closers.push(() => app.close());
    return Number(new URL(await app.getUrl()).port);
  };
  const connect = async (port: number): Promise<net.Socket> => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    closers.push(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  /** Reads until the text contains the expected part. */
  const readUntil = async (socket: net.Socket, end: string): Promise<string> => {
    let text = '';
    while (!text.includes(end)) text += String((await once(socket, 'data'))[0]);
    return text;
  };

  it('sends every frame as one write, with LF only, and says when it is over', async () => {
    const write = jest.spyOn(ServerResponse.prototype, 'write');
    const port = await serve({ agent: { start: () => Promise.resolve(ScriptedRun.of(HELLO)) } });
    const socket = await connect(port);
    socket.write(REQUEST);
    await readUntil(socket, '\r\n0\r\n\r\n');
    const frames = write.mock.calls.map(([chunk]) => chunk as string);
    write.mockRestore();
    expect(frames).toEqual([
      expect.stringMatching(/^id: 1\nevent: run\.started\ndata: \{.*\}\n\n$/),
      expect.stringMatching(/^id: 2\nevent: text\.delta\ndata: \{.*\}\n\n$/),
      expect.stringMatching(/^id: 3\nevent: run\.finished\ndata: \{.*\}\n\n$/),
    ]);
  });

  it('gives signs of life while nothing happens', async () => {
    const runs: ScriptedRun[] = [];
    const port = await serve({
      http: { sse: { heartbeatMs: 5, stallMs: 60_000 } },
      agent: {
        start: () => {
          const run = new ScriptedRun();
          runs.push(run);
          return Promise.resolve(run);
        },
      },
    });
    const socket = await connect(port);
    socket.write(REQUEST);
    const first = await readUntil(socket, ': keep-alive\n\n');
    expect(first).toContain('content-type: text/event-stream');
    expect(first).not.toContain('data:');
    expect(await readUntil(socket, ': keep-alive\n\n')).not.toContain('data:');
    runs[0]?.end();
    expect(await readUntil(socket, '0\r\n\r\n')).not.toContain('data:');
  });

  it.each(['cancel', 'continue'] as const)(
    'drops a client that reads nothing, having sent a bounded amount (%s)',
    async (onDisconnect) => {
      const runs: ScriptedRun[] = [];
      let pulled = 0;
      let dropped!: () => void;
      const isDropped = new Promise<void>((resolve) => (dropped = resolve));
      const total = 1_000;
      const port = await serve({
        http: { onDisconnect, sse: { heartbeatMs: 15_000, stallMs: 50 } },
        agent: {
          start: (_input: unknown, options: StartOptions) => {
            const run = new ScriptedRun(options);
            const delta = 'x'.repeat(100_000);
            for (let index = 0; index < total; index += 1) run.push({ type: 'text.delta', delta });
            runs.push(run);
            return Promise.resolve({
              runId: run.runId,
              sessionId: run.sessionId,
              finished: run.finished,
              async *events() {
                try {
                  for await (const event of run.events()) {
                    pulled += 1;
                    yield event;
                  }
                } finally {
                  dropped();
                }
              },
            });
          },
        },
      });
      const socket = await connect(port);
      socket.pause();
      socket.write(REQUEST);
      await isDropped;
      expect(pulled).toBeLessThan(total / 2);
      const [run] = runs;
      if (onDisconnect === 'cancel') await run?.finished;
      expect(run?.isCancelled).toBe(onDisconnect === 'cancel');
    },
  );

  it('lets everything else have its turn while a long stream is sent', async () => {
    const run = new ScriptedRun();
    const delta = 'x'.repeat(10_000);
    for (let index = 0; index < 100; index += 1) run.push({ type: 'text.delta', delta });
    run.end();
    let pulled = 0;
    let most = 0;
    const port = await serve({
      agent: {
        start: () =>
          Promise.resolve({
            ...run,
            async *events() {
              let before = 0;
              const endOfTurn = () => {
                most = Math.max(most, pulled - before);
                before = pulled;
                if (pulled < 100) setImmediate(endOfTurn);
              };
              setImmediate(endOfTurn);
              for await (const event of run.events()) {
                pulled += 1;
                yield event;
              }
            },
          }),
      },
    });
    const socket = await connect(port);
    socket.write(REQUEST);
    await readUntil(socket, '\r\n0\r\n\r\n');
    expect(pulled).toBe(100);
    // Node buffers 16 to 64 kB before it has a writer wait.
    expect(most).toBeLessThan(20);
  });

  it('ends without a word of its own where events cannot be read, so that clients come back', async () => {
    const port = await serve({ agent: { start: unreadable } });
    const socket = await connect(port);
    socket.write(REQUEST);
    const text = await readUntil(socket, '0\r\n\r\n');
    expect(text).toContain('id: 1\nevent: text.delta\n');
    expect(text).toContain('retry: 500\n\n');
    expect(text).not.toMatch(/id: 2|run\.finished|secret/);
  });

  it('ends with an error where a client of OpenAI could not come back for the rest', async () => {
    const port = await serve({ agent: { complete: unreadable } });
    const answer = await fetch(`http://127.0.0.1:${port}/agent/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'agent',
        messages: [{ role: 'user', content: 'hi' }],
        stream: true,
      }),
    });
    const text = await answer.text();
    expect(text).toContain('"content":"x"');
    expect(text).toMatch(/data: \{"error":\{[^\n]*"code":"server_error"/);
    expect(text).not.toContain('secret');
  });

  it('leaves the run alone when its connection closes after the end', async () => {
    const runs: ScriptedRun[] = [];
    const port = await serve({
      agent: {
        start: (_input: unknown, options: StartOptions) => {
          const run = new ScriptedRun(options);
          for (const body of HELLO) run.push(body);
          run.end();
          runs.push(run);
          return Promise.resolve(run);
        },
      },
    });
    const socket = await connect(port);
    for (let round = 0; round < 3; round += 1) {
      socket.write(REQUEST);
      await readUntil(socket, '0\r\n\r\n');
    }
    socket.destroy();
    await once(socket, 'close');
    expect(runs.map(({ isCancelled }) => isCancelled)).toEqual([false, false, false]);
  });

  it('cancels a run whose answer waits behind another on its connection', async () => {
    const runs: ScriptedRun[] = [];
    let both!: () => void;
    const areBoth = new Promise<void>((resolve) => (both = resolve));
    const port = await serve({
      agent: {
        start: (_input: unknown, options: StartOptions) => {
          const run = new ScriptedRun(options);
          runs.push(run);
          if (runs.length === 2) both();
          return Promise.resolve(run);
        },
      },
    });
    const socket = await connect(port);
    socket.write(REQUEST + REQUEST);
    await areBoth;
    socket.destroy();
    await Promise.all(runs.map(({ finished }) => finished));
    expect(runs.map(({ isCancelled }) => isCancelled)).toEqual([true, true]);
  });

  it.each(['cancel', 'continue'] as const)(
    'stops reading a run whose answer waits behind another on a connection that closes (%s)',
    async (onDisconnect) => {
      const left: Promise<void>[] = [];
      let second!: () => void;
      const isSecondRead = new Promise<void>((resolve) => (second = resolve));
      const port = await serve({
        http: { onDisconnect },
        agent: {
          start: (_input: unknown, options: StartOptions) => {
            const run = new ScriptedRun(options);
            const delta = 'x'.repeat(100_000);
            for (let index = 0; index < 1_000; index += 1) run.push({ type: 'text.delta', delta });
            let leave!: () => void;
            left.push(new Promise((resolve) => (leave = resolve)));
            const isSecond = left.length === 2;
            return Promise.resolve({
              ...run,
              async *events() {
                try {
                  for await (const event of run.events()) {
                    if (isSecond) second();
                    yield event;
                  }
                } finally {
                  leave();
                }
              },
            });
          },
        },
      });
      const socket = await connect(port);
      socket.pause();
      socket.write(REQUEST + REQUEST);
      await isSecondRead;
      socket.destroy();
      await Promise.all(left);
    },
  );

  it('drops a stalled answer that waits behind another, and keeps the other', async () => {
    const runs: ScriptedRun[] = [];
    const port = await serve({
      http: { sse: { heartbeatMs: 15_000, stallMs: 50 } },
      agent: {
        start: (_input: unknown, options: StartOptions) => {
          const run = new ScriptedRun(options);
          const delta = 'x'.repeat(runs.length === 0 ? 1 : 100_000);
          run.push({ type: 'text.delta', delta });
          runs.push(run);
          return Promise.resolve(run);
        },
      },
    });
    const socket = await connect(port);
    socket.write(REQUEST);
    await readUntil(socket, 'text.delta');
    socket.write(REQUEST);
    while (runs.length < 2) await new Promise(setImmediate);
    await runs[1]?.finished;
    expect(runs.map(({ isCancelled }) => isCancelled)).toEqual([false, true]);
    runs[0]?.push({ type: 'text.delta', delta: 'still here' });
    runs[0]?.end();
    await readUntil(socket, 'still here');
    await once(socket, 'close');
  });

  it('has Node warn of no leak where a client waits for none of its answers', async () => {
    const warnings: string[] = [];
    const warned = ({ name }: Error) => warnings.push(name);
    process.on('warning', warned);
    closers.push(() => process.off('warning', warned));
    const MANY = 12;
    let count = 0;
    let all!: () => void;
    const areAll = new Promise<void>((resolve) => (all = resolve));
    const port = await serve({
      agent: {
        start: (_input: unknown, options: StartOptions) => {
          count += 1;
          if (count === MANY) all();
          return Promise.resolve(new ScriptedRun(options));
        },
      },
    });
    const socket = await connect(port);
    socket.write(REQUEST.repeat(MANY));
    await areAll;
    // Node warns in the turn after.
    await new Promise(setImmediate);
    // Other files of this worker may be warned of other things.
    expect(warnings).not.toContain('MaxListenersExceededWarning');
  });
});
