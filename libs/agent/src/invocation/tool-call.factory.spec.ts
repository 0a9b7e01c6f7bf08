import { getEventListeners } from 'node:events';
import { ForbiddenException, HttpException, Logger, UnauthorizedException } from '@nestjs/common';
import { from } from 'rxjs';
import { ToolError, ToolResult } from '../tool';
import { engine, silenceLog, tool } from './fixtures/engine';

const addInput = {
  type: 'object',
  properties: { a: { type: 'integer' }, b: { type: 'integer', default: 40 } },
  required: ['a'],
};
const add = () =>
  tool('add', ({ a, b }) => Number(a) + Number(b), { input: addInput, readOnly: true });

beforeAll(silenceLog);

describe('ToolCallFactory', () => {
  it('creates a pending call and executes it later', async () => {
    const { calls } = engine({ tools: [add()] });
    const call = await calls.create('add', { a: 1, b: 2 });
    expect(call.response.status).toBe('pending');
    const response = await call.response.execute();
    expect(response).toBe(call.response);
    expect(response).toMatchObject({ status: 'executed', result: 3, content: '3', attempts: 1 });
    expect(response.durationMs).toBeGreaterThanOrEqual(0);
    expect(response.durationMs % 1).toBe(0);
    expect(response.call).toBe(call);
  });

  it('reads the arguments as text, and fills defaults in', async () => {
    const { calls } = engine({ tools: [add()] });
    const call = await calls.create('add', '{"a":2}');
    expect(call.input).toEqual({ a: 2, b: 40 });
    expect((await call.response.execute()).result).toBe(42);
  });

  it('runs a tool with the numbers that are shown and stored: JSON writes -0 as 0', async () => {
    const ran: unknown[] = [];
    const input = { type: 'object', additionalProperties: true };
    const { calls } = engine({ tools: [tool('sign', (args) => ran.push(args), { input })] });
    const call = await calls.create('sign', '{"ns":[-0,-1],"n":-0}');
    await call.response.execute();
    expect([call.input, ...ran]).toEqual([
      { ns: [0, -1], n: 0 },
      { ns: [0, -1], n: 0 },
    ]);
  });

  it('takes no text at all as no arguments', async () => {
    const { calls } = engine({ tools: [tool('ping', () => 'pong')] });
    const call = await calls.create('ping', '');
    expect((await call.response.execute()).content).toBe('pong');
  });

  it.each([
    ['no JSON', '{"a":'],
    ['an array', '[1]'],
    ['a missing argument', {}],
    ['a wrong type', { a: 'x' }],
    ['an unknown argument', { a: 1, c: 1 }],
    ['a prototype', '{"a":1,"__proto__":{"x":1}}'],
  ])('refuses %s', async (_, input) => {
    const { calls, records } = engine({ tools: [add()] });
    const { response } = await calls.create('add', input);
    expect(response.status).toBe('failed');
    expect(response.error?.code).toBe('invalid_arguments');
    expect(response.content).toBe(response.error?.message);
    expect(records).toHaveLength(1);
    await expect(response.execute()).rejects.toMatchObject({ code: 'not_pending' });
  });

  it('names where in the arguments a problem is', async () => {
    const { calls } = engine({ tools: [add()] });
    const { response } = await calls.create('add', { a: 'x' });
    expect(response.error?.message).toContain('/a');
  });

  it('answers not_found for a tool that is not there', async () => {
    const { calls } = engine({ tools: [add()] });
    for (const name of ['nothing', '__proto__', 'constructor', 'toString', '']) {
      const { response } = await calls.create(name, {});
      expect(response).toMatchObject({ status: 'not_found', error: { code: 'not_found' } });
    }
  });

  it('runs a call at most once', async () => {
    const run = jest.fn();
    const { calls } = engine({ tools: [tool('once', run)] });
    const { response } = await calls.create('once', {});
    const [first, second] = await Promise.allSettled([response.execute(), response.execute()]);
    expect(first.status).toBe('fulfilled');
    expect(second.status).toBe('rejected');
    await expect(response.execute()).rejects.toMatchObject({ code: 'not_pending' });
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('answers interrupted where the signal is aborted already', async () => {
    const run = jest.fn();
    const { calls } = engine({ tools: [tool('late', run)] });
    const controller = new AbortController();
    const waiting = await calls.create('late', {}, { signal: controller.signal });
    controller.abort();
    expect((await waiting.response.execute()).status).toBe('interrupted');
    const late = await calls.create('late', {}, { signal: controller.signal });
    expect(late.response.status).toBe('interrupted');
    expect(run).not.toHaveBeenCalled();
  });

  it.each(['allow', 'ask', 'deny'] as const)(
    'answers interrupted, once, where a permission says %s after the caller has gone',
    async (level) => {
      const log = jest.spyOn(Logger.prototype, 'error');
      jest.useFakeTimers({ doNotFake: ['setImmediate'] });
      const controller = new AbortController();
      let decide: (level: 'allow' | 'ask' | 'deny') => void = () => undefined;
      const permission = () => new Promise<typeof level>((resolve) => (decide = resolve));
      const { calls, records } = engine({ tools: [tool('slow', () => 1, { permission })] });
      const created = calls.create('slow', {}, { signal: controller.signal });
      await new Promise(setImmediate);
      controller.abort();
      const { response } = await created;
      decide(level);
      await new Promise(setImmediate);
      expect(response.status).toBe('interrupted');
      expect(response.content).toContain('before it started');
      expect(records).toMatchObject([{ outcome: 'interrupted' }]);
      expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
      expect(jest.getTimerCount()).toBe(0);
      jest.useRealTimers();
      expect(log).not.toHaveBeenCalled();
      log.mockRestore();
    },
  );

  it('fails where the check of arguments does not end in time', async () => {
    jest.useFakeTimers();
    const run = jest.fn();
    const bind = () => new Promise<never>(() => undefined);
    const { calls } = engine({ tools: [{ ...tool('slow', run), bind }] });
    const created = calls.create('slow', {});
    await jest.advanceTimersByTimeAsync(30_000);
    expect((await created).response).toMatchObject({
      status: 'failed',
      error: { code: 'tool_failed' },
    });
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('interrupts a running call at once, and tells the tool', async () => {
    const controller = new AbortController();
    let seen: AbortSignal | undefined;
    const hang = tool('hang', (_, { signal }) => {
      seen = signal;
      controller.abort();
      return new Promise(() => undefined);
    });
    const { calls } = engine({ tools: [hang] });
    const call = await calls.create('hang', {}, { signal: controller.signal });
    expect(await call.response.execute()).toMatchObject({
      status: 'interrupted',
      error: { code: 'interrupted' },
    });
    expect(seen?.aborted).toBe(true);
  });

  it.each<[string, unknown, string, string]>([
    ['a ToolError', new ToolError('No order 17.'), 'tool_error', 'No order 17.'],
    ['an Error', new Error('ECONNREFUSED /var/run/db'), 'tool_failed', 'The tool failed'],
    ['a 401', new UnauthorizedException(), 'unauthorized', 'Authentication failed: Unauthorized'],
    ['a 403', new ForbiddenException('Admins only'), 'forbidden', 'Permission denied: Admins only'],
    ['a 400', new HttpException({ message: ['a is bad', 'b too'] }, 400), 'http_error', 'b too'],
    ['problem details', new ForbiddenException({ detail: 'Not yours' }), 'forbidden', 'Not yours'],
    ['an envelope', new HttpException({ error: { message: 'Held' } }, 409), 'http_error', 'Held'],
    ['a code alone', new HttpException({ code: 'TAKEN' }, 409), 'http_error', '{"code":"TAKEN"}'],
    ['internals', new HttpException({ sql: 'select 1' }, 500), 'http_error', 'Http Exception'],
    [
      'a list of objects',
      new HttpException({ message: [{ field: 'age' }] }, 400),
      'http_error',
      '[{"field":"age"}]',
    ],
    ['no problem', new HttpException({ message: [] }, 400), 'http_error', 'Http Exception'],
    ['a string', 'a string', 'tool_failed', 'The tool failed'],
    ['nothing', undefined, 'tool_failed', 'The tool failed'],
  ])('answers %s with a text for the model', async (_, error, code, text) => {
    const failing = tool('failing', () => {
      throw error;
    });
    const { calls } = engine({ tools: [failing] });
    const { response } = await calls.create('failing', {});
    await response.execute();
    expect(response.status).toBe('failed');
    expect(response.error?.code).toBe(code);
    expect(response.content).toContain(text);
    expect(JSON.stringify(response)).not.toContain('ECONNREFUSED');
  });

  it.each<[string, () => unknown]>([
    ['an object without a prototype', () => Object.create(null) as unknown],
    ['an HttpException without a response', () => new HttpException(null as never, 400)],
    ['messages that are no text', () => new HttpException({ message: [Object.create(null)] }, 500)],
    ['a revoked proxy', revokedProxy],
    [
      'an error whose stack throws',
      () => Object.defineProperty(new Error(), 'stack', { get: unreadable }),
    ],
  ])('settles a call that throws %s', async (_, thrown) => {
    const failing = tool('failing', () => {
      throw thrown();
    });
    const { calls, records } = engine({ tools: [failing] });
    const { response } = await calls.create('failing', {});
    await response.execute();
    expect(response).toMatchObject({ status: 'failed', content: expect.any(String) as string });
    expect(records).toHaveLength(1);
  });

  it('keeps the arguments as the model sent them, whatever the tool makes of its own', async () => {
    const received: unknown[] = [];
    const input = { list: [1], nested: { a: 1 } };
    const careless = tool(
      'careless',
      (given) => {
        received.push(structuredClone(given));
        (given['list'] as number[]).push(2);
        Object.assign(given['nested'] as object, { a: 'changed' });
        throw new Error('again');
      },
      {
        idempotent: true,
        retry: { maxAttempts: 2, initialBackoffMs: 0 },
        input: {
          type: 'object',
          properties: {
            list: { type: 'array', items: { type: 'number' } },
            nested: { type: 'object', properties: { a: { type: 'number' } } },
          },
        },
      },
    );
    const { calls } = engine({ tools: [careless] });
    const call = await calls.create('careless', input);
    await call.response.execute();
    expect(received).toEqual([input, input]);
    expect(call.input).toEqual({ list: [1], nested: { a: 1 } });
  });

  it('reports progress as it was when it was reported, and as JSON', async () => {
    const seen: unknown[] = [];
    const chatty = tool('chatty', (_, ctx) => {
      const progress = { percent: 0, total: 10n };
      ctx.emit(progress as never);
      progress.percent = 50;
      ctx.emit(progress as never);
    });
    const { calls } = engine({ tools: [chatty] });
    const call = await calls.create('chatty', {}, { emit: (data) => seen.push(data) });
    await call.response.execute();
    expect(seen).toEqual([
      { percent: 0, total: '10' },
      { percent: 50, total: '10' },
    ]);
  });

  it('reports progress by a function taken from the context too', async () => {
    const seen: unknown[] = [];
    const { calls } = engine({ tools: [tool('chatty', (_, { emit }) => emit('half'))] });
    const call = await calls.create('chatty', {}, { emit: (data) => seen.push(data) });
    expect(await call.response.execute()).toMatchObject({ status: 'executed' });
    expect(seen).toEqual(['half']);
  });

  it('takes an error that is returned for one that is thrown', async () => {
    const answers = [
      new ToolError('No order 17.'),
      new Error('ECONNREFUSED'),
      new HttpException('Gone', 410),
    ];
    const contents: unknown[] = [];
    for (const answer of answers) {
      const { calls } = engine({ tools: [tool('returning', () => answer)] });
      const { response } = await calls.create('returning', {});
      expect((await response.execute()).status).toBe('failed');
      contents.push(response.content);
    }
    expect(contents).toEqual(['No order 17.', 'The tool failed with an unexpected error.', 'Gone']);
  });

  it('goes on where its progress cannot be told', async () => {
    const unreadable = {
      toJSON: () => {
        throw new Error('no');
      },
    };
    const seen: unknown[] = [];
    const tools = [
      tool('observable', () => from([unreadable, 'end'])),
      tool('generator', async function* () {
        yield unreadable;
        yield 'end';
      }),
      tool('emitter', (_, ctx) => {
        ctx.emit(unreadable as never);
        return 'end';
      }),
    ];
    const { calls } = engine({ tools });
    const takers = [
      (data: unknown) => void seen.push(data),
      () => {
        throw new Error('The reader has gone.');
      },
    ];
    for (const emit of takers) {
      for (const { definition } of tools) {
        const { response } = await calls.create(definition.name, {}, { emit });
        expect(await response.execute()).toMatchObject({ status: 'executed', result: 'end' });
      }
    }
    expect(seen).toEqual(Array(3).fill('[unreadable]'));
  });

  it('takes an error result for a failure', async () => {
    const { calls } = engine({ tools: [tool('soft', () => new ToolResult('Nope', true))] });
    const { response } = await calls.create('soft', {});
    await response.execute();
    expect(response).toMatchObject({ status: 'failed', content: 'Nope' });
  });

  it('keeps a picture out of the conversation that is too large for it', async () => {
    const data = Buffer.alloc(5 * 1024 * 1024).toString('base64');
    const picture = { type: 'image', mediaType: 'image/png', data } as const;
    const tools = [
      tool('returned', () => picture),
      tool('listed', () => [{ type: 'text', text: 'Here:' }, picture]),
      tool('wrapped', () => new ToolResult([picture], true)),
    ];
    const { calls } = engine({ tools });
    for (const { definition } of tools) {
      const { response } = await calls.create(definition.name, {});
      const { content, error } = await response.execute();
      expect(JSON.stringify([content, error])).toContain('[Left out: image (5242880 bytes).');
      expect(JSON.stringify([content, error]).length).toBeLessThan(1_000);
    }
  });

  it('can be printed as JSON', async () => {
    const { calls } = engine({ tools: [add()] });
    const call = await calls.create('add', { a: 1 });
    await call.response.execute();
    expect(JSON.parse(JSON.stringify(call))).toMatchObject({
      name: 'add',
      response: { status: 'executed', result: 41 },
    });
  });
});

function unreadable(): never {
  throw new Error('Nobody reads this.');
}

function revokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
