import { countedUsage, NO_USAGE } from './usage';

describe('countedUsage', () => {
  it.each([
    [
      { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
      { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
    ],
    [
      { inputTokens: 3, outputTokens: 4 },
      { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
    ],
    // Thoughts, which some count in the total alone.
    [
      { inputTokens: 3, outputTokens: 4, totalTokens: 107 },
      { inputTokens: 3, outputTokens: 104, totalTokens: 107 },
    ],
    [{ totalTokens: 7 }, { inputTokens: 0, outputTokens: 7, totalTokens: 7 }],
    [
      { inputTokens: 50, outputTokens: 50, totalTokens: 1 },
      { inputTokens: 50, outputTokens: 50, totalTokens: 100 },
    ],
    [
      { inputTokens: '3', outputTokens: '4', totalTokens: null },
      { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
    ],
    [
      { inputTokens: 1.5, outputTokens: 0.1 },
      { inputTokens: 2, outputTokens: 1, totalTokens: 3 },
    ],
  ])('%j', (usage, expected) => {
    expect(countedUsage(usage)).toEqual({ ...NO_USAGE, ...expected });
  });

  it('caps a part of a count at the whole', () => {
    const given = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 8, cacheWriteTokens: 8 };
    expect(countedUsage({ ...given, reasoningTokens: 50 })).toMatchObject({
      cachedInputTokens: 8,
      cacheWriteTokens: 2,
      reasoningTokens: 5,
    });
    expect(
      countedUsage({ ...given, cachedInputTokens: -1, reasoningTokens: 'many' }),
    ).toMatchObject({
      cachedInputTokens: 0,
      cacheWriteTokens: 8,
      reasoningTokens: 0,
    });
  });

  it.each([
    undefined,
    null,
    5,
    {},
    { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    { outputTokens: 4 },
    { inputTokens: -100_000, outputTokens: 3, totalTokens: 5 },
    { inputTokens: 3, outputTokens: 4, totalTokens: -7 },
    { inputTokens: NaN, outputTokens: 4 },
    { inputTokens: 1e308, outputTokens: 1e308 },
    { inputTokens: 'three', outputTokens: '' },
    { inputTokens: true, outputTokens: [4] },
  ])('does not take %j for counted', (usage) => {
    expect(countedUsage(usage)).toBeUndefined();
  });
});
