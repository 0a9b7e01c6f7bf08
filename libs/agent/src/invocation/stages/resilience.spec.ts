import { ToolTimeoutError } from '../call';
import { BadGatewayException, ConflictException, NotFoundException } from '@nestjs/common';
import {
  RouteResponseError,
  type Tool,
  ToolError,
  type ToolInvocation,
  type ToolResponse,
  ToolResult,
} from '../../tool';
import { engine, silenceLog, tool, type EngineOptions } from '../fixtures/engine';
import type { ToolInterceptor } from './tool-interceptor.interface';

beforeAll(silenceLog);
beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

/** A tool that answers each of these in turn; an error is thrown. */
function answers(name: string, list: readonly unknown[], options: Parameters<typeof tool>[2] = {}) {
  const left = [...list];
  return tool(
    name,
    () => {
      const answer = left.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    },
    options,
  );
}

async function run(
  { calls }: ReturnType<typeof engine>,
  name: string,
  context: { principal?: string; sessionId?: string; signal?: AbortSignal } = {},
): Promise<ToolResponse> {
  const call = await calls.create(name, {}, context);
  const done = call.response.execute();
  await jest.runAllTimersAsync();
  return done;
}

describe('time-outs', () => {
  const hang = (options: Parameters<typeof tool>[2] = {}) =>
    tool('hang', () => new Promise(() => undefined), options);

  it('stops a tool after 30 s by default, and tells it', async () => {
    let signal: AbortSignal | undefined;
    const listening = tool('hang', (_, ctx) => {
      signal = ctx.signal;
      return new Promise(() => undefined);
    });
    const { calls } = engine({ tools: [listening] });
    const call = await calls.create('hang', {});
    const done = call.response.execute();
    await jest.advanceTimersByTimeAsync(29_999);
    expect(call.response.status).toBe('executing');
    expect(signal?.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    const response = await done;
    expect(response).toMatchObject({ status: 'failed', error: { code: 'timeout' }, attempts: 1 });
    expect(response.durationMs).toBe(30_000);
    expect(signal?.aborted).toBe(true);
  });

  it("follows the tool's own limit, then the module's", async () => {
    const own = await run(engine({ tools: [hang({ timeoutMs: 50 })] }), 'hang');
    expect(own.durationMs).toBe(50);
    const all = await run(engine({ tools: [hang()], defaults: { timeoutMs: 70 } }), 'hang');
    expect(all.durationMs).toBe(70);
    expect(all.content).toContain('0.07 s');
  });

  it('takes a limit that no timer can hold for none at all', async () => {
    const { calls } = engine({ tools: [hang({ timeoutMs: Infinity })] });
    const controller = new AbortController();
    const call = await calls.create('hang', {}, { signal: controller.signal });
    const done = call.response.execute();
    await jest.advanceTimersByTimeAsync(3_600_000);
    expect(call.response.status).toBe('executing');
    controller.abort();
    expect((await done).status).toBe('interrupted');
  });

  it('ends a call that has had its effect with that, also where it was cancelled', async () => {
    const pay: Tool = {
      ...tool('pay', () => undefined, { timeoutMs: 50 }),
      invoke: ({ commit }: ToolInvocation) => {
        commit?.('Paid');
        return new Promise(() => undefined);
      },
    };
    expect(await run(engine({ tools: [pay] }), 'pay')).toMatchObject({
      status: 'executed',
      result: 'Paid',
      attempts: 1,
    });
    const passing: ToolInterceptor = { intercept: (_call, _ctx, next) => next() };
    for (const interceptors of [[], [passing]]) {
      const { calls } = engine({ tools: [pay], interceptors });
      const controller = new AbortController();
      const call = await calls.create('pay', {}, { signal: controller.signal });
      const done = call.response.execute();
      await jest.advanceTimersByTimeAsync(1);
      controller.abort();
      expect(await done).toMatchObject({ status: 'executed', content: 'Paid' });
    }
  });

  it('takes the time-out of a tool that another tool called for a failure of the other one', async () => {
    const relay: Tool = {
      ...tool('relay', () => undefined),
      invoke: ({ commit }: ToolInvocation) => {
        commit?.('Begun');
        return Promise.reject(new ToolTimeoutError(50, false));
      },
    };
    expect(await run(engine({ tools: [relay] }), 'relay')).toMatchObject({ status: 'failed' });
  });

  it('lets nothing through that a stopped attempt still says', async () => {
    const emit = jest.fn();
    const late = tool('late', async (_, ctx) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      ctx.emit('too late');
    });
    const { calls } = engine({ tools: [late], defaults: { timeoutMs: 50 } });
    const call = await calls.create('late', {}, { emit });
    const done = call.response.execute();
    await jest.runAllTimersAsync();
    expect((await done).error?.code).toBe('timeout');
    expect(emit).not.toHaveBeenCalled();
  });
});

describe('retries', () => {
  const down = new Error('down');

  it.each([
    ['an exception', down],
    ['a 5xx', new BadGatewayException()],
    ["a route's 5xx", new RouteResponseError(503, 'Unavailable')],
  ])('tries a read-only tool again after %s', async (_, error) => {
    const response = await run(
      engine({ tools: [answers('flaky', [error, error, 'fine'], { readOnly: true })] }),
      'flaky',
    );
    expect(response).toMatchObject({ status: 'executed', result: 'fine', attempts: 3 });
    expect(response.logs).toHaveLength(2);
  });

  it('tries after a time-out too, and an idempotent tool as well', async () => {
    let attempts = 0;
    const slow = tool(
      'slow',
      () => ((attempts += 1) < 3 ? new Promise(() => undefined) : attempts),
      { idempotent: true, timeoutMs: 10 },
    );
    expect(await run(engine({ tools: [slow] }), 'slow')).toMatchObject({ result: 3, attempts: 3 });
  });

  it('gives up after three attempts', async () => {
    const response = await run(
      engine({ tools: [answers('dead', [down, down, down, 'late'], { readOnly: true })] }),
      'dead',
    );
    expect(response).toMatchObject({
      status: 'failed',
      attempts: 3,
      error: { code: 'tool_failed' },
    });
  });

  it('never repeats what writes', async () => {
    const writing = answers('write', [down, 'fine']);
    expect((await run(engine({ tools: [writing] }), 'write')).attempts).toBe(1);
  });

  it.each([
    ['a 4xx', new ConflictException()],
    ["a route's 4xx", new RouteResponseError(404, 'Not Found')],
    ['what the tool says on purpose', new ToolError('No.')],
  ])('never repeats after %s', async (_, error) => {
    const refused = answers('refused', [error, 'fine'], { readOnly: true });
    expect((await run(engine({ tools: [refused] }), 'refused')).attempts).toBe(1);
  });

  it('waits longer each time, jittered and capped', async () => {
    const random = jest.spyOn(Math, 'random').mockReturnValue(0.999_999);
    const dead = answers('dead', Array(5).fill(down), {
      readOnly: true,
      retry: { maxAttempts: 5, maxBackoffMs: 3_000 },
    });
    const { calls } = engine({ tools: [dead] });
    const call = await calls.create('dead', {});
    const done = call.response.execute();
    await jest.runAllTimersAsync();
    const pauses = (await done).logs.map((line) => Number(/in (\d+) ms/.exec(line)?.[1]));
    expect(pauses).toEqual([999, 1_999, 2_999, 2_999]);
    random.mockReturnValue(0);
    const other = await run(
      engine({ tools: [answers('dead', [down, 'ok'], { readOnly: true })] }),
      'dead',
    );
    expect(other.logs[0]).toContain('in 500 ms');
    random.mockRestore();
  });

  it('multiplies the pause by the multiplier of the options', async () => {
    const random = jest.spyOn(Math, 'random').mockReturnValue(0);
    const dead = answers('dead', Array(4).fill(down), {
      readOnly: true,
      retry: { maxAttempts: 4, initialBackoffMs: 100, backoffMultiplier: 3 },
    });
    const { logs } = await run(engine({ tools: [dead] }), 'dead');
    const pauses = logs.map((line) => Number(/in (\d+) ms/.exec(line)?.[1]));
    expect(pauses).toEqual([50, 150, 450]);
    random.mockRestore();
  });

  it('stops waiting when the call is cancelled', async () => {
    const controller = new AbortController();
    const { calls } = engine({ tools: [answers('dead', [down, 'ok'], { readOnly: true })] });
    const call = await calls.create('dead', {}, { signal: controller.signal });
    const done = call.response.execute();
    await jest.advanceTimersByTimeAsync(100);
    controller.abort();
    expect(await done).toMatchObject({ status: 'interrupted', attempts: 1 });
  });

  it('binds the arguments anew, and keeps the idempotency key', async () => {
    const seen: { args: unknown; key: string; attempt: number }[] = [];
    const base = tool('repeat', () => 1, { readOnly: true });
    const repeat = {
      ...base,
      bind: () => Promise.resolve({ list: [] as number[] }),
      invoke: ({ args, idempotencyKey, attempt }: Parameters<typeof base.invoke>[0]) => {
        (args as { list: number[] }).list.push(1);
        seen.push({ args, key: idempotencyKey, attempt });
        if (seen.length < 3) throw down;
        return 'ok';
      },
    };
    await run(engine({ tools: [repeat] }), 'repeat');
    expect(seen.map(({ args }) => args)).toEqual(Array(3).fill({ list: [1] }));
    expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
    expect(seen[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('the breaker', () => {
  const down = new Error('down');
  const options: Parameters<typeof tool>[2] = { retry: { maxAttempts: 1 } };

  it('opens after three failures in a row in one session, for five minutes', async () => {
    const context = { sessionId: 's1' };
    const app = engine({ tools: [answers('db', [down, down, down, 'back', 'again'], options)] });
    for (let failure = 0; failure < 3; failure += 1) {
      expect((await run(app, 'db', context)).error?.code).toBe('tool_failed');
    }
    const refused = await run(app, 'db', context);
    expect(refused).toMatchObject({ attempts: 0, error: { code: 'temporarily_unavailable' } });
    expect(refused.content).toContain('temporarily unavailable');
    await jest.advanceTimersByTimeAsync(299_000);
    expect((await run(app, 'db', context)).error?.code).toBe('temporarily_unavailable');
    await jest.advanceTimersByTimeAsync(1_000);
    expect((await run(app, 'db', context)).result).toBe('back');
    expect((await run(app, 'db', context)).result).toBe('again');
  });

  it('opens again where the trial fails', async () => {
    const context = { sessionId: 's1' };
    const app = engine({ tools: [answers('db', [down, down, down, down, 'ok'], options)] });
    for (let failure = 0; failure < 3; failure += 1) await run(app, 'db', context);
    await jest.advanceTimersByTimeAsync(300_000);
    expect((await run(app, 'db', context)).error?.code).toBe('tool_failed');
    expect((await run(app, 'db', context)).error?.code).toBe('temporarily_unavailable');
  });

  it("is one session's and one tool's own", async () => {
    const app = engine({
      tools: [answers('db', [down, down, down, 'ok'], options), answers('other', ['ok'])],
    });
    for (let failure = 0; failure < 3; failure += 1) await run(app, 'db', { sessionId: 's1' });
    expect((await run(app, 'other', { sessionId: 's1' })).status).toBe('executed');
    expect((await run(app, 'db', { sessionId: 's2' })).status).toBe('executed');
  });

  it('counts in a row: a success, a refusal or an error said on purpose begins anew', async () => {
    for (const between of ['fine', new NotFoundException(), new ToolError('no')]) {
      const app = engine({
        tools: [answers('db', [down, down, between, down, down, 'ok'], options)],
      });
      let last: ToolResponse | undefined;
      for (let call = 0; call < 6; call += 1) last = await run(app, 'db', { sessionId: 's1' });
      expect(last?.result).toBe('ok');
    }
  });

  it('forgets a session that is over', async () => {
    const app = engine({ tools: [answers('db', [down, down, down, 'ok'], options)] });
    for (let failure = 0; failure < 3; failure += 1) await run(app, 'db', { sessionId: 's1' });
    app.executor.forget('s1');
    expect((await run(app, 'db', { sessionId: 's1' })).result).toBe('ok');
  });

  it('is not there outside a session', async () => {
    const app = engine({ tools: [answers('db', [down, down, down, down, 'ok'], options)] });
    for (let failure = 0; failure < 4; failure += 1) await run(app, 'db');
    expect((await run(app, 'db')).result).toBe('ok');
  });
});

describe('the cache', () => {
  const counting = (options: Parameters<typeof tool>[2]) => {
    let count = 0;
    return tool('count', () => (count += 1), {
      input: { type: 'object', properties: { a: {}, b: {} } },
      ...options,
    });
  };
  const results = async (
    options: EngineOptions,
    contexts: readonly { principal?: string; input?: { a?: number; b?: number } }[],
  ) => {
    const { calls } = engine(options);
    const all: unknown[] = [];
    for (const { input = {}, ...context } of contexts) {
      const call = await calls.create('count', input, context);
      all.push((await call.response.execute()).result);
    }
    return all;
  };
  const cached = { readOnly: true, cacheTtlMs: 30_000 };
  const alice = { principal: 'alice' };

  it('answers the same caller and arguments again', async () => {
    const contexts = [
      { ...alice, input: { a: 1, b: 2 } },
      { ...alice, input: { b: 2, a: 1 } },
      { ...alice, input: { a: 2 } },
      { principal: 'bob', input: { a: 1, b: 2 } },
    ];
    expect(await results({ tools: [counting(cached)] }, contexts)).toEqual([1, 1, 2, 3]);
  });

  it('is never used without a principal, for writing tools, or unasked', async () => {
    expect(await results({ tools: [counting(cached)] }, [{}, {}])).toEqual([1, 2]);
    const writing = counting({ ...cached, readOnly: false });
    expect(await results({ tools: [writing] }, [alice, alice])).toEqual([1, 2]);
    const plain = counting({ readOnly: true });
    expect(await results({ tools: [plain] }, [alice, alice])).toEqual([1, 2]);
  });

  it.each<[string, () => unknown]>([
    ['an object', () => ({ list: [1] })],
    ['an instance', () => Object.assign(new (class Answer {})(), { list: [1] })],
    ['a result of its own', () => new ToolResult([{ type: 'text', text: 'one' }])],
  ])('hands out %s that is nobody else’s', async (_, answer) => {
    const kept: unknown[] = [];
    const careless = tool(
      'count',
      () => {
        kept.push(answer());
        return kept[0];
      },
      cached,
    );
    const spoil = (value: unknown) => {
      const { list, content } = value as { list?: number[]; content?: { text: string }[] };
      list?.push(2);
      content?.push({ text: 'two' });
      return value;
    };
    const intercept = async (_call: unknown, _ctx: unknown, next: () => Promise<unknown>) =>
      spoil(await next());
    const { calls } = engine({ tools: [careless], interceptors: [{ intercept }] });
    const contents: unknown[] = [];
    for (let call = 0; call < 3; call += 1) {
      const { response } = await calls.create('count', {}, alice);
      spoil((await response.execute()).result);
      contents.push(JSON.stringify(response.content));
      spoil(kept[0]);
    }
    expect(kept).toHaveLength(1);
    expect(new Set(contents).size).toBe(1);
  });

  it('answers as it did without it, whatever the tool answers', async () => {
    for (const answer of ['text', undefined, null, 7, true, [{ type: 'text', text: 'a' }], {}]) {
      const plain = engine({ tools: [tool('count', () => answer, { readOnly: true })] });
      const { response } = await plain.calls.create('count', {}, alice);
      await response.execute();
      const { calls } = engine({ tools: [tool('count', () => answer, cached)] });
      for (let call = 0; call < 2; call += 1) {
        const again = await calls.create('count', {}, alice);
        await again.response.execute();
        expect(again.response.content).toEqual(response.content);
        expect(again.response.result).toEqual(response.result);
      }
    }
  });

  it('forgets in time', async () => {
    const { calls } = engine({ tools: [counting(cached)] });
    const next = async () =>
      (await (await calls.create('count', {}, alice)).response.execute()).result;
    // lru-cache takes the very first millisecond of a clock for no time at all.
    jest.advanceTimersByTime(1);
    expect([await next(), await next()]).toEqual([1, 1]);
    jest.advanceTimersByTime(30_001);
    expect(await next()).toBe(2);
  });

  it('keeps no more than it has room for, and the latest', async () => {
    const size = 16 * 1_048_576;
    const run = jest.fn(
      ({ times }: Readonly<Record<string, unknown>>) =>
        new ToolResult('x'.repeat(Number(times) * size - 100)),
    );
    const input = { type: 'object', properties: { times: {}, id: {} } };
    const { calls } = engine({ tools: [tool('large', run, { ...cached, input })] });
    const isKept = async (times: number, id: number) => {
      const { response } = await calls.create('large', { times, id }, alice);
      return (await response.execute()).attempts === 0;
    };
    jest.advanceTimersByTime(1);
    for (const id of [1, 2, 3, 4]) expect(await isKept(1, id)).toBe(false);
    for (const id of [1, 2, 3, 4]) expect(await isKept(1, id)).toBe(true);
    expect(await isKept(1, 5)).toBe(false);
    expect([await isKept(1, 2), await isKept(1, 1)]).toEqual([true, false]);
    for (const kept of [false, false]) expect(await isKept(5, 0)).toBe(kept);
    expect(await isKept(1, 1)).toBe(true);
  });

  it('does not take one tool for another of the same name', async () => {
    const { calls } = engine();
    const next = async () => {
      const context = { ...alice, tools: [counting(cached)] };
      return (await (await calls.create('count', {}, context)).response.execute()).logs;
    };
    expect([await next(), await next()]).toEqual([[], []]);
  });

  it('keeps no errors', async () => {
    const flaky = answers('count', [new ToolError('no'), 'yes'], cached);
    expect(await results({ tools: [flaky] }, [alice, alice])).toEqual([undefined, 'yes']);
    let returned = 0;
    const returning = tool(
      'count',
      () => ((returned += 1) === 1 ? new Error('no') : 'yes'),
      cached,
    );
    expect(await results({ tools: [returning] }, [alice, alice])).toEqual([undefined, 'yes']);
  });

  it('does not wait for ever for the word whether this caller still may', async () => {
    const authorize = () => new Promise<never>(() => undefined);
    const app = engine({ tools: [{ ...counting(cached), authorize }] });
    const context = { principal: 'alice', sessionId: 's1' };
    expect((await run(app, 'count', context)).status).toBe('executed');
    expect((await run(app, 'count', context)).error?.code).toBe('timeout');
  });

  it('asks on a hit whether this caller still may', async () => {
    const authorize = jest.fn<Promise<void>, []>().mockResolvedValueOnce(undefined);
    authorize.mockRejectedValueOnce(new ToolError('No more.'));
    const guarded = { ...counting(cached), authorize };
    const { calls } = engine({ tools: [guarded] });
    const responses: ToolResponse[] = [];
    for (let index = 0; index < 3; index += 1) {
      responses.push(await (await calls.create('count', {}, alice)).response.execute());
    }
    expect(responses.map(({ content }) => content)).toEqual(['1', '1', 'No more.']);
    expect(responses[1]?.logs).toEqual(['Answered from the cache.']);
  });
});
