import { Logger } from '@nestjs/common';
import {
  type Tool,
  type ToolCall,
  type ToolContext,
  ToolError,
  ToolResult,
  traitsOf,
} from '../../tool';
import { argumentsDigest } from '../audit/call.recorder';
import { engine, silenceLog, tool } from '../fixtures/engine';
import type { ToolInterceptor } from './tool-interceptor.interface';

beforeAll(silenceLog);

const interceptor = (intercept: ToolInterceptor['intercept']): ToolInterceptor => ({ intercept });

async function run(
  interceptors: readonly ToolInterceptor[],
  execute: () => unknown = () => 'tool',
) {
  const { calls, records } = engine({
    interceptors,
    tools: [tool('x', execute, { readOnly: true, retry: { initialBackoffMs: 0 } })],
  });
  const call = await calls.create('x', {}, { principal: 'alice', sessionId: 's1' });
  return { response: await call.response.execute(), records };
}

describe("an application's own stages", () => {
  it('stand around the call, the first one outermost', async () => {
    const order: string[] = [];
    const noting = (name: string) =>
      interceptor(async (call: ToolCall, ctx: ToolContext, next) => {
        order.push(`${name} ${call.name} ${ctx.principal}`);
        const value = await next();
        order.push(`${name} after`);
        return `${name}(${String(value)})`;
      });
    const { response } = await run([noting('a'), noting('b')]);
    expect(response.content).toBe('a(b(tool))');
    expect(order).toEqual(['a x alice', 'b x alice', 'b after', 'a after']);
  });

  it('may answer in the place of the tool, or refuse', async () => {
    const execute = jest.fn();
    const answering = await run([interceptor(() => new ToolResult('instead'))], execute);
    expect(answering.response.content).toBe('instead');
    const refusing = await run(
      [
        interceptor(() => {
          throw new ToolError('Not on Sundays.');
        }),
      ],
      execute,
    );
    expect(refusing.response).toMatchObject({ status: 'failed', content: 'Not on Sundays.' });
    expect(refusing.records).toMatchObject([{ outcome: 'failed' }]);
    expect(execute).not.toHaveBeenCalled();
  });

  it('see one call, whatever it takes further in', async () => {
    let attempts = 0;
    const seen = jest.fn();
    const { response } = await run(
      [
        interceptor((_call, _ctx, next) => {
          seen();
          return next();
        }),
      ],
      () => {
        attempts += 1;
        if (attempts < 3) throw new Error('again');
        return attempts;
      },
    );
    expect(response.result).toBe(3);
    expect(seen).toHaveBeenCalledTimes(1);
  });

  const fails = () => {
    throw new ToolError('Not yet.');
  };

  it.each<[string, ToolInterceptor['intercept'], () => unknown]>([
    ['after it', async (_call, _ctx, next) => [await next(), await next()], () => 1],
    ['beside it', (_call, _ctx, next) => Promise.all([next(), next()]), () => 1],
    ['after it failed', (_call, _ctx, next) => next().catch(next), fails],
  ])('run what may run once no second time: %s', async (_, intercept, first) => {
    const log = jest.spyOn(Logger.prototype, 'error');
    const runsOf = async (traits: { readOnly?: boolean; idempotent?: boolean }) => {
      const execute = jest.fn().mockImplementationOnce(first);
      const tools = [tool('x', execute, traits)];
      const { calls } = engine({ interceptors: [interceptor(intercept)], tools });
      const { response } = await calls.create('x', {});
      await response.execute();
      return [execute.mock.calls.length, response.status];
    };
    expect(await runsOf({})).toEqual([1, 'failed']);
    expect(JSON.stringify(log.mock.calls)).toContain('next() again');
    expect(await runsOf({ readOnly: true })).toEqual([2, 'executed']);
    expect(await runsOf({ idempotent: true })).toEqual([2, 'executed']);
    log.mockRestore();
  });

  it('cannot change what was asked for', async () => {
    const received: unknown[] = [];
    let attempts = 0;
    const { calls, records } = engine({
      interceptors: [
        interceptor((call, _ctx, next) => {
          expect(() => Object.assign(call.input, { city: 'Bonn' })).toThrow(TypeError);
          expect(() => Object.assign(call.input['at'] as object, { x: 2 })).toThrow(TypeError);
          return next();
        }),
      ],
      tools: [
        tool(
          'x',
          (given) => {
            received.push(structuredClone(given));
            Object.assign(given['at'] as object, { x: 3 });
            if ((attempts += 1) === 1) throw new Error('again');
          },
          {
            readOnly: true,
            retry: { initialBackoffMs: 0 },
            input: { type: 'object', properties: { city: {}, at: {} } },
          },
        ),
      ],
    });
    const input = { city: 'Ulm', at: { x: 1 } };
    const call = await calls.create('x', input);
    expect((await call.response.execute()).status).toBe('executed');
    expect([input, call.input, ...received]).toEqual(Array(4).fill({ city: 'Ulm', at: { x: 1 } }));
    expect(Object.isFrozen(input)).toBe(false);
    expect(records[0]?.argumentsDigest).toBe(argumentsDigest(input));
  });

  it('cannot hold a cancelled call back', async () => {
    const controller = new AbortController();
    const { calls } = engine({
      interceptors: [interceptor(() => new Promise(() => undefined))],
      tools: [tool('x', () => 1)],
    });
    const call = await calls.create('x', {}, { signal: controller.signal });
    const done = call.response.execute();
    controller.abort();
    expect((await done).status).toBe('interrupted');
  });
});

describe('the time of an interceptor', () => {
  const hang = () => new Promise<never>(() => undefined);
  const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const called = async (interceptors: readonly ToolInterceptor[], tools: readonly Tool[]) => {
    const { calls } = engine({ interceptors, tools });
    return (await calls.create('x', {})).response.execute();
  };
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => {
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('ends before the tool, which then does not run, even if next() is called later', async () => {
    const execute = jest.fn();
    let goOn: () => Promise<unknown> = () => Promise.resolve();
    const outer = interceptor((_call, _ctx, next) => next().catch(() => after(1_000)));
    const inner = interceptor((_call, _ctx, next) => {
      goOn = next;
      return hang();
    });
    const done = called([outer, inner], [tool('x', execute)]);
    await jest.advanceTimersByTimeAsync(30_000);
    await expect(goOn()).rejects.toThrow('too late');
    await jest.advanceTimersByTimeAsync(1_000);
    expect((await done).status).toBe('executed');
    expect(execute).not.toHaveBeenCalled();
  });

  it.each([
    [false, 'An interceptor of the tool did not answer within 30 s and was stopped.'],
    [
      true,
      'An interceptor of the tool did not answer within 30 s and was stopped. Its effect is unknown.',
    ],
  ])('tells whether the tool ran (%s)', async (hasRun, content) => {
    const stuck = interceptor(async (_call, _ctx, next) => {
      if (hasRun) await next();
      return hang();
    });
    const done = called([stuck], [tool('x', () => 'paid')]);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(await done).toMatchObject({ status: 'failed', content, error: { code: 'timeout' } });
  });

  it('does not include that of the tool, and is as long at least', async () => {
    const slow = interceptor(async (_call, _ctx, next) => {
      await after(59_000);
      const value = await next();
      await after(59_000);
      return value;
    });
    const done = called([slow], [tool('x', () => after(50_000), { timeoutMs: 60_000 })]);
    await jest.advanceTimersByTimeAsync(168_000);
    expect((await done).status).toBe('executed');
  });
});

describe('progress', () => {
  it('reaches the emitter of its own call only', async () => {
    const stream = tool('stream', async function* (_input, ctx) {
      ctx.emit({ from: 'emitter' });
      yield 10n;
      yield { step: 2 };
      yield 'result';
    });
    const { calls } = engine({ tools: [stream] });
    const emits = [jest.fn(), jest.fn()];
    const made = await Promise.all(emits.map((emit) => calls.create('stream', {}, { emit })));
    expect((await made[0]?.response.execute())?.result).toBe('result');
    expect(emits[0]?.mock.calls).toEqual([[{ from: 'emitter' }], ['10'], [{ step: 2 }]]);
    expect(emits[1]).not.toHaveBeenCalled();
  });
});

describe('the output schema', () => {
  const output = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const answer = async (value: unknown, options: Partial<Tool> = {}) => {
    const declared = { ...tool('x', () => value, { output, readOnly: true }), ...options };
    const { calls } = engine({ tools: [declared] });
    return (await calls.create('x', {})).response.execute();
  };
  let logged: jest.SpyInstance[];

  beforeEach(() => {
    logged = [
      jest.spyOn(Logger.prototype, 'error').mockReturnValue(),
      jest.spyOn(Logger.prototype, 'warn').mockReturnValue(),
    ];
  });
  afterEach(() => jest.restoreAllMocks());
  const counts = () => logged.map(({ mock }) => mock.calls.length);

  it('accepts what fits, in its JSON form', async () => {
    class Answer {
      constructor(readonly n: number) {}
    }
    expect((await answer(new Answer(1))).content).toBe('{"n":1}');
    expect((await answer(new ToolResult('words'))).status).toBe('executed');
  });

  const wrong: readonly [unknown][] = [[{ n: 'x' }], [undefined], [null], [[]], ['text']];

  it.each(wrong)('refuses %j of a tool that only reads', async (value) => {
    const response = await answer(value);
    expect(response).toMatchObject({ status: 'failed', error: { code: 'invalid_output' } });
    expect(response.content).toBe('The tool "x" returned a result that does not match its schema.');
    expect(counts()).toEqual([1, 0]);
  });

  it.each(wrong)('never calls what a tool wrote a failure for %j', async (value) => {
    const response = await answer(value, { traits: traitsOf({}) });
    expect(response).toMatchObject({ status: 'executed', result: value });
    expect(counts()).toEqual([1, 0]);
  });

  it('describes only where it was derived: one warning for all that differs', async () => {
    const differing = { ...tool('x', () => [], { output, readOnly: true }), isOutputDerived: true };
    const { calls } = engine({ tools: [differing] });
    for (let count = 0; count < 3; count += 1) {
      const response = await (await calls.create('x', {})).response.execute();
      expect(response).toMatchObject({ status: 'executed', content: '[]' });
    }
    expect(counts()).toEqual([0, 1]);
  });
});
