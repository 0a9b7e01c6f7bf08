import { estimatedUsage } from '../../message';
import { isOverBudget } from './budget';

const usage = estimatedUsage(1_000, 500);
const spent = { usage, toolCalls: 2, byModel: new Map([['big', usage]]) };
const prices = { big: { input: 2, output: 8 } };

describe('isOverBudget', () => {
  it.each([
    ['nothing is bounded', {}, false],
    ['tokens are left', { totalTokens: 1_501 }, false],
    ['tokens are used up', { totalTokens: 1_500 }, true],
    ['calls are left', { toolCalls: 2 }, false],
    ['a call was one too many', { toolCalls: 1 }, true],
    ['the bound of tokens is no number', { totalTokens: NaN }, true],
    ['the bound of calls is no number', { toolCalls: NaN }, true],
    ['money is left', { cost: { max: 0.0061, prices } }, false],
    ['money is used up', { cost: { max: 0.006, prices } }, true],
    ['the model has no price', { cost: { max: 100, prices: {} } }, true],
    [
      'the price is no number',
      { cost: { max: 100, prices: { big: { input: NaN, output: 1 } } } },
      true,
    ],
    [
      'an inherited name is no price',
      { cost: { max: 100, prices: Object.create(prices) as typeof prices } },
      true,
    ],
  ])('%s', (_what, budget, expected) => {
    expect(isOverBudget(budget, spent)).toBe(expected);
  });

  describe('counts each kind of token by its price', () => {
    // Usage as reported by OpenAI: most input tokens were cached.
    const answered = {
      ...estimatedUsage(24_056, 1_200),
      cachedInputTokens: 23_490,
      cacheWriteTokens: 400,
      reasoningTokens: 700,
    };
    it.each([
      ['nothing but what they are part of', { input: 2, output: 8 }, 0.057712],
      ['cached ones', { input: 2, output: 8, cachedInput: 0.2 }, 0.01543],
      ['those put into the cache', { input: 2, output: 8, cacheWrite: 2.5 }, 0.057912],
      ['thoughts', { input: 2, output: 8, reasoning: 3 }, 0.054212],
      ['all', { input: 2, output: 8, cachedInput: 0.2, cacheWrite: 2.5, reasoning: 3 }, 0.01213],
    ])('%s', (_what, price, cost) => {
      const used = { usage: answered, toolCalls: 0, byModel: new Map([['big', answered]]) };
      const isOver = (max: number) => isOverBudget({ cost: { max, prices: { big: price } } }, used);
      expect([isOver(cost * 0.999), isOver(cost * 1.001)]).toEqual([true, false]);
    });
  });
});
