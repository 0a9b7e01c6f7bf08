import { Logger } from '@nestjs/common';
import { engine, silenceLog, tool } from '../fixtures/engine';
import { argumentsDigest } from './call.recorder';
import { LoggerAuditSink } from './logger-audit.sink';
import { redacted } from './shown-input';

beforeAll(silenceLog);

const input = { type: 'object', properties: { city: { type: 'string' }, password: {} } };
const weather = () => tool('weather', ({ city }) => `Rain in ${String(city)}`, { input });

describe('audit', () => {
  it('keeps one record per call: who, what, when and how it ended', async () => {
    const { calls, records } = engine({ tools: [weather()] });
    const context = { principal: 'alice', sessionId: 's1', runId: 'r1', callId: 'c1' };
    const call = await calls.create('weather', { city: 'Ulm' }, context);
    expect(records).toEqual([]);
    await call.response.execute();
    await calls.create('nothing', {}, { callId: 'c2' });
    expect(records).toEqual([
      {
        at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        callId: 'c1',
        tool: 'weather',
        kind: 'function',
        principal: 'alice',
        sessionId: 's1',
        runId: 'r1',
        argumentsDigest: argumentsDigest({ city: 'Ulm' }),
        outcome: 'executed',
        approval: 'none',
        attempts: 1,
        durationMs: expect.any(Number) as number,
      },
      expect.objectContaining({ callId: 'c2', outcome: 'not_found', errorCode: 'not_found' }),
    ]);
  });

  it('repeats the beginning of an unknown name only, as its refusal does', async () => {
    const { calls, records } = engine({ tools: [] });
    const { response } = await calls.create('x'.repeat(1_000_000), {});
    const shown = `${'x'.repeat(100)}…`;
    expect(response.error?.message).toContain(`"${shown}"`);
    expect(response.error?.message.length).toBeLessThan(200);
    expect(records).toMatchObject([{ tool: shown, outcome: 'not_found' }]);
  });

  it('holds no values unless asked to, and then none that are secret', async () => {
    const call = { city: 'Ulm', password: 'hunter2' };
    const plain = engine({ tools: [weather()] });
    await (await plain.calls.create('weather', call)).response.execute();
    expect(JSON.stringify(plain.records)).not.toMatch(/Ulm|hunter2/);
    const open = engine({ tools: [weather()], audit: { values: true, redact: ['CITY'] } });
    await (await open.calls.create('weather', call)).response.execute();
    expect(open.records[0]?.arguments).toEqual({ city: '[redacted]', password: '[redacted]' });
  });

  it('masks the sensitive arguments of a tool that its caller may not see', async () => {
    const input = { type: 'object', properties: { pin: { type: 'string', writeOnly: true } } };
    const unlock = tool('unlock', () => 'open', { input, visible: () => false });
    const { calls, records } = engine({ tools: [unlock], audit: { values: true } });
    const { tool: told, response } = await calls.create('unlock', { pin: '9876' });
    expect([told, response.status]).toEqual([undefined, 'not_found']);
    expect(records).toEqual([
      expect.objectContaining({
        arguments: { pin: '[redacted]' },
        argumentsDigest: argumentsDigest({ pin: '[redacted]' }),
      }),
    ]);
    expect(records[0]).not.toHaveProperty('kind');
  });

  it('masks sensitive arguments however the call ends, and though they stand in the wrong place', async () => {
    const pin = { type: 'string', writeOnly: true };
    const input = {
      type: 'object',
      properties: { door: { type: 'string' }, key: { type: 'object', properties: { pin } } },
      required: ['door'],
      additionalProperties: false,
    };
    const unlock = tool('unlock', () => 'open', { input });
    const { calls, records } = engine({ tools: [unlock], audit: { values: true } });
    const good = await calls.create('unlock', { door: 'front', key: { pin: '9876' } });
    await good.response.execute();
    await calls.create('unlock', { door: 1, key: { pin: '9876' } });
    await calls.create('unlock', { door: 'front', key: '{"pin":"9876"}' });
    await calls.create('unlock', { input: { door: 'front', key: { pin: '9876' } } });
    const settlement = { status: 'declined', content: 'No' } as const;
    calls.conclude({ name: 'unlock', input: good.input }, {}, settlement, 'declined');
    expect(records.map(({ outcome, arguments: told }) => [outcome, told])).toEqual([
      ['executed', { door: 'front', key: { pin: '[redacted]' } }],
      ['failed', { door: 1, key: { pin: '[redacted]' } }],
      ['failed', { door: 'front', key: '[redacted]' }],
      ['failed', { input: '[redacted]' }],
      ['declined', { door: 'front', key: { pin: '[redacted]' } }],
    ]);
    for (const { argumentsDigest: digest, arguments: told = {} } of records)
      expect(digest).toBe(argumentsDigest(told));
  });

  it('is not disturbed by a sink that fails; the failures are counted and logged', async () => {
    const log = jest.spyOn(Logger.prototype, 'error');
    const failing = [
      () => {
        throw new Error('full');
      },
      () => Promise.reject(new Error('gone')),
    ];
    for (const record of failing) {
      const app = engine({ tools: [weather()], sink: { record } });
      const call = await app.calls.create('weather', { city: 'Ulm' });
      expect((await call.response.execute()).status).toBe('executed');
      await app.recorder.onApplicationShutdown();
    }
    const counted = expect.stringContaining('failed to take a record (1 in all)');
    expect(log.mock.calls.map(([message]) => message as unknown)).toEqual([counted, counted]);
    log.mockRestore();
  });

  it('waits for slow records when the application stops', async () => {
    let finish: () => void = () => undefined;
    const record = () => new Promise<void>((resolve) => (finish = resolve));
    const app = engine({ tools: [weather()], sink: { record } });
    await (await app.calls.create('weather', {})).response.execute();
    const stopped = jest.fn();
    const stopping = app.recorder.onApplicationShutdown().then(stopped);
    await new Promise(setImmediate);
    expect(stopped).not.toHaveBeenCalled();
    finish();
    await stopping;
    expect(stopped).toHaveBeenCalledTimes(1);
  });

  it('lets the application stop where the sink hangs', async () => {
    jest.useFakeTimers();
    const sink = { record: () => new Promise<void>(() => undefined) };
    const { calls, recorder } = engine({ tools: [weather()], sink });
    const call = await calls.create('weather', {});
    await call.response.execute();
    const stopped = recorder.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(5_000);
    await stopped;
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('drops records that a sink which hangs could only pile up, and counts them in the log', async () => {
    jest.useFakeTimers();
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    let release: () => void = () => undefined;
    const hanging = new Promise<void>((resolve) => (release = resolve));
    const record = jest.fn(() => hanging);
    const { calls, recorder } = engine({ sink: { record } });
    const callNobody = async (count: number): Promise<void> => {
      for (let index = 0; index < count; index += 1) await calls.create('nobody', {});
    };
    await callNobody(1_000);
    expect(log).not.toHaveBeenCalled();
    await callNobody(5);
    expect(record).toHaveBeenCalledTimes(1_000);
    expect(log.mock.calls).toEqual([[expect.stringContaining('1 records were dropped')]]);
    jest.advanceTimersByTime(10_000);
    await callNobody(1);
    expect(log).toHaveBeenLastCalledWith(expect.stringContaining('6 records were dropped'));
    release();
    await jest.advanceTimersByTimeAsync(0);
    await callNobody(1);
    expect(record).toHaveBeenCalledTimes(1_001);
    await recorder.onApplicationShutdown();
    expect(log).toHaveBeenCalledTimes(3);
    log.mockRestore();
    jest.useRealTimers();
  });

  it('waits for a sink that answers a thenable, as query builders do', async () => {
    const written: string[] = [];
    const then = (done: () => void) => {
      written.push('row');
      done();
    };
    const sink = { record: () => ({ then }) as unknown as Promise<void> };
    const { calls, recorder } = engine({ tools: [weather()], sink });
    const call = await calls.create('weather', {});
    await call.response.execute();
    await recorder.onApplicationShutdown();
    expect(written).toEqual(['row']);
  });

  it('goes to the log by default, a line of JSON per call', () => {
    const log = jest.spyOn(Logger.prototype, 'log').mockImplementation();
    new LoggerAuditSink().record({ tool: 'weather' } as never);
    expect(log).toHaveBeenCalledWith('{"tool":"weather"}');
    new LoggerAuditSink().record({ tool: 'a\u2028\u0085{"tool":"b"}\u202e\u009b2K' } as never);
    const forged = String.raw`{"tool":"a\u2028\u0085{\"tool\":\"b\"}\u202e\u009b2K"}`;
    expect(log).toHaveBeenLastCalledWith(forged);
    log.mockRestore();
  });
});

describe('argumentsDigest', () => {
  it('does not depend on the order of keys, but on all else', () => {
    const digest = argumentsDigest({ a: 1, b: { c: [1, 2], d: null } });
    expect(argumentsDigest({ b: { d: null, c: [1, 2] }, a: 1 })).toBe(digest);
    expect(argumentsDigest({ b: { d: null, c: [2, 1] }, a: 1 })).not.toBe(digest);
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('can be keyed', () => {
    const keyed = argumentsDigest({ a: 1 }, 'key');
    expect(keyed).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
    expect(argumentsDigest({ a: 1 }, 'other')).not.toBe(keyed);
  });
});

describe('redacted', () => {
  it('reaches every depth and leaves the original alone', () => {
    const original = { list: [{ Token: 'x', keep: 1 }], cookie: { a: 1 } };
    expect(redacted(original)).toEqual({
      list: [{ Token: '[redacted]', keep: 1 }],
      cookie: '[redacted]',
    });
    expect(original.cookie).toEqual({ a: 1 });
  });
});
