import { setImmediate as turn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { ToolError, type Tool } from '../tool';
import { engine, silenceLog, tool, type EngineOptions } from './fixtures/engine';

beforeAll(silenceLog);

/** One call of the only tool there is, to its end. */
async function outcome(subject: Tool, options: EngineOptions = {}, signal?: AbortSignal) {
  const app = engine({ ...options, tools: [subject] });
  const call = await app.calls.create(subject.definition.name, {}, signal && { signal });
  if (call.response.status === 'pending') await call.response.execute();
  return { ...app, response: call.response };
}

function revokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const UNEXPECTED = 'The tool failed with an unexpected error.';

describe('what cannot even be looked at', () => {
  it('settles the call that an interceptor throws it from', async () => {
    const intercept = () => {
      throw revokedProxy();
    };
    const { response, records } = await outcome(
      tool('x', () => 1),
      { interceptors: [{ intercept }] },
    );
    expect(response).toMatchObject({ status: 'failed', content: UNEXPECTED });
    expect(records).toMatchObject([{ outcome: 'failed' }]);
  });

  it('settles the call whose arguments it is thrown at', async () => {
    const bind = jest.fn<Promise<never>, []>().mockRejectedValue(revokedProxy());
    const { response, records } = await outcome({ ...tool('x', () => 1), bind });
    expect(response).toMatchObject({ status: 'failed', content: UNEXPECTED });
    expect(records).toMatchObject([{ outcome: 'failed' }]);
  });

  it('denies, where a permission rejects with it', async () => {
    const permission = jest.fn<Promise<never>, []>().mockRejectedValue(revokedProxy());
    const { response } = await outcome(tool('x', () => 1, { permission }));
    expect(response).toMatchObject({ status: 'declined', error: { code: 'permission_denied' } });
  });

  it('settles the call that it is answered to, or given as arguments', async () => {
    const { response } = await outcome(tool('x', () => [revokedProxy()]));
    expect(response).toMatchObject({ status: 'executed', content: '["[unreadable]"]' });
    const { calls } = engine({ tools: [tool('x', () => 1)] });
    const call = await calls.create('x', revokedProxy() as never);
    expect(call.response).toMatchObject({ status: 'failed', content: UNEXPECTED });
  });
});

describe('an error', () => {
  it.each<[string, () => Error]>([
    ['whose message is none', () => Object.assign(new ToolError('no'), { message: [1n] })],
    ['whose message throws', () => Object.defineProperty(new ToolError('no'), 'message', throwing)],
    ['whose code is none', () => Object.assign(new ToolError('no'), { code: 5n })],
    ['whose causes have no end', endless],
  ])('%s is told in words', async (_, make) => {
    const { response } = await outcome(
      tool('x', () => {
        throw make();
      }),
    );
    expect(typeof response.content).toBe('string');
    expect(typeof response.error?.code).toBe('string');
    expect(typeof response.error?.message).toBe('string');
  });
});

const throwing: PropertyDescriptor = {
  get() {
    throw new Error('no');
  },
};

function endless(): Error {
  const error = new ToolError('no');
  return Object.assign(error, { cause: error });
}

describe('a result that does not fit its schema', () => {
  it.each([
    ['read', { readOnly: true }],
    ['write', {}],
  ])('cannot control the log with the names in it: %s', async (name, traits) => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const output = { type: 'object', additionalProperties: false } as const;
    const result = { ['a\n[Nest] b\r\u001b[2K\u2028\u202ec']: 1 };
    await outcome(tool(name, () => result, { ...traits, output }));
    const [line] = logged.mock.calls.flat();
    logged.mockRestore();
    expect(line).toContain('/a\\u000a[Nest] b\\u000d\\u001b[2K\\u2028\\u202ec is not');
  });
});

describe('next() of an interceptor', () => {
  it('starts nothing once the call is cancelled', async () => {
    const run = jest.fn();
    const controller = new AbortController();
    let isDone: (value: unknown) => void = () => undefined;
    const late = new Promise((resolve) => (isDone = resolve));
    const intercept = async (_call: unknown, _ctx: unknown, next: () => Promise<unknown>) => {
      controller.abort();
      await turn();
      isDone(await next().catch((error: unknown) => error));
    };
    const { response } = await outcome(
      tool('x', run),
      { interceptors: [{ intercept }] },
      controller.signal,
    );
    expect(response.status).toBe('interrupted');
    expect(await late).toMatchObject({ code: 'interrupted' });
    expect(run).not.toHaveBeenCalled();
    expect(response.attempts).toBe(0);
  });

  it('starts nothing once the call has its answer', async () => {
    const run = jest.fn();
    let later: () => Promise<unknown> = () => Promise.resolve();
    const intercept = (_call: unknown, _ctx: unknown, next: () => Promise<unknown>) => {
      later = next;
      return 'instead';
    };
    const { response, records } = await outcome(tool('x', run), { interceptors: [{ intercept }] });
    expect(response.content).toBe('instead');
    await expect(later()).rejects.toThrow(/"x" already has its result/);
    expect(run).not.toHaveBeenCalled();
    expect(response.attempts).toBe(0);
    expect(records).toHaveLength(1);
  });
});

describe('a stream that has no end', () => {
  it('lets others have their turn, and is stopped when its time is over', async () => {
    let isClosed = false;
    async function* numbers() {
      try {
        // Ends by itself if it is not stopped: a failing test is better than a hanging one.
        for (let count = 0; count < 50_000_000; count += 1) yield count;
      } finally {
        isClosed = true;
      }
    }
    const subject = tool('x', numbers, { timeoutMs: 20, retry: { maxAttempts: 1 } });
    const { response } = await outcome(subject);
    expect(response).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
    await turn();
    expect(isClosed).toBe(true);
  });
});

describe('progress', () => {
  const LIMIT = 1_048_576;
  const told = async (...values: readonly unknown[]) => {
    const seen: unknown[] = [];
    const chatty = tool('x', (_input, ctx) => values.forEach((value) => ctx.emit(value as never)));
    const { calls } = engine({ tools: [chatty] });
    const call = await calls.create('x', {}, { emit: (data) => seen.push(data) });
    await call.response.execute();
    return seen;
  };
  const notice = '[Left out: further progress, beyond 1048576 characters.]';

  it('is told up to its bound, and then no more', async () => {
    const most = 'x'.repeat(LIMIT - 102);
    expect(await told(most)).toEqual([most]);
    expect(await told(`${most}x`, 'more')).toEqual([notice]);
    expect(await told(most, 'one too many', 'more')).toEqual([most, notice]);
    const many = await told(...Array(20_000).fill(1));
    expect(many).toHaveLength(Math.floor(LIMIT / 101) + 1);
    expect(many.at(-1)).toBe(notice);
  });
});

describe('arguments at their bounds', () => {
  const BYTES = 256 * 1024;
  const LEVELS = 32;
  const open = { input: { type: 'object', properties: { a: {} } } };
  const statusOf = async (input: string | object) => {
    const { calls } = engine({ tools: [tool('x', () => 1, open)] });
    return (await calls.create('x', input as never)).response.status;
  };
  const nested = (levels: number): string =>
    `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  const wide = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;

  it.each([
    ['text', (text: string) => text],
    ['a value', (text: string) => JSON.parse(text) as object],
  ])('are taken up to them, as %s', async (_, given) => {
    expect(await statusOf(given(nested(LEVELS)))).toBe('pending');
    expect(await statusOf(given(nested(LEVELS + 1)))).toBe('failed');
    // One byte is counted for the comma that a last member does not have.
    expect(await statusOf(given(wide(BYTES - 1)))).toBe('pending');
    expect(await statusOf(given(wide(BYTES + 1)))).toBe('failed');
  });

  it('are not looked into where they are far beyond', async () => {
    const { calls } = engine({ tools: [tool('x', () => 1, open)] });
    const { input, response } = await calls.create('x', nested(200_000));
    expect(response.error?.code).toBe('invalid_arguments');
    expect(input).toEqual({});
  });
});
