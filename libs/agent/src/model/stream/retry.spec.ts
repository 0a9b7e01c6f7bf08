import type { ModelEvent } from '../chat-model';
import { ModelError } from '../model-error';
import { toModelError } from './failures';
import { retryAfterMs } from './failures/retry-wait';
import { retryBeforeFirstEvent, retryDelayMs } from './retry';

const overloaded = new ModelError('model_overloaded', 'x');

describe('retryDelayMs', () => {
  const middle = () => 0.5;

  it('doubles, up to a limit, with jitter', () => {
    const options = { maxAttempts: 10, initialDelayMs: 100, maxDelayMs: 300 };
    const delays = [1, 2, 3].map((attempt) => retryDelayMs(overloaded, attempt, options, middle));
    expect(delays).toEqual([75, 150, 225]);
    expect(retryDelayMs(overloaded, 1, options, () => 0)).toBe(50);
    expect(retryDelayMs(overloaded, 1, options, () => 1)).toBe(100);
  });

  it('never comes back before Retry-After, nor waits too long for it', () => {
    const limited = new ModelError('model_rate_limited', 'x', { retryAfterMs: 2_000 });
    expect(retryDelayMs(limited, 1, {}, () => 0)).toBe(2_000);
    expect(retryDelayMs(limited, 1, {}, () => 1)).toBeGreaterThan(2_000);
    expect(retryDelayMs(limited, 1, { maxRetryAfterMs: 1_000 })).toBeUndefined();
  });

  it('ends after the last attempt, and at once for what waiting does not mend', () => {
    expect(retryDelayMs(overloaded, 3, {})).toBeUndefined();
    expect(retryDelayMs(new ModelError('model_bad_request', 'x'), 1, {})).toBeUndefined();
    expect(retryDelayMs(new Error('x'), 1, {})).toBeUndefined();
  });
});

describe('retryBeforeFirstEvent', () => {
  it('does not begin again once it was left', async () => {
    let opened = 0;
    const stream = retryBeforeFirstEvent(
      async function* (): AsyncGenerator<ModelEvent, void> {
        opened++;
        yield { type: 'finish', reason: 'end_turn' };
      },
      {},
      new AbortController().signal,
    );
    await stream.return?.();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(opened).toBe(0);
  });
});

describe('retryAfterMs', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  it.each([
    [{ 'retry-after': '2' }, 2_000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, 5_000],
    [{ 'retry-after': 'Thu, 01 Jan 2025 00:00:05 GMT' }, 0],
    [{ 'retry-after-ms': '150' }, 150],
    [{ 'retry-after-ms': '150', 'retry-after': '1' }, 1_000],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('%j', (headers, expected) => {
    expect(retryAfterMs(new Headers(headers), now)).toBe(expected);
  });
});

describe('toModelError', () => {
  it.each([
    [{ message: 'Rate limit reached for sk-secret' }, 'model_rate_limited'],
    [{ type: 'overloaded_error' }, 'model_overloaded'],
    [{ type: 'invalid_request_error', message: 'bad' }, 'model_bad_request'],
    [{ code: 400, message: 'maximum context length is 10' }, 'context_too_long'],
    [{ code: 502, message: 'upstream' }, 'model_unavailable'],
    ['what', 'model_unavailable'],
    [new TypeError('fetch failed'), 'model_unavailable'],
  ])('knows %j by its words', (error, code) => {
    const failure = toModelError(error, 'm');
    expect(failure.code).toBe(code);
    expect(failure.message).not.toContain('secret');
    expect(failure.cause).toBe(error);
  });
});
