import { pauseAfter } from './reconnect-delay';

describe('the pause before a new connection', () => {
  it.each([
    [0, 1_000],
    [1, 2_000],
    [5, 32_000],
    [6, 60_000],
    [10_000, 60_000],
  ])('after %d failures is %d ms, shortened at random by up to half', (failures, wholeMs) => {
    const pauses = Array.from({ length: 100 }, () => pauseAfter(failures));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(wholeMs);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(wholeMs / 2);
    expect(new Set(pauses).size).toBeGreaterThan(50);
  });
});
