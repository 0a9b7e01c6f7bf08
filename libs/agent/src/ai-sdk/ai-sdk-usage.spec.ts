import { aiSdkUsage } from './ai-sdk-usage';

describe('aiSdkUsage counts in the input what was cached', () => {
  const V2 = { inputTokens: 510, outputTokens: 20, totalTokens: 530, cachedInputTokens: 23_490 };
  const COUNTED = { inputTokens: 24_000, outputTokens: 20, cachedInputTokens: 23_490 };

  it('of v2, where a package counts it apart', () => {
    expect(aiSdkUsage(V2)).toMatchObject({ ...COUNTED, totalTokens: 24_020, cacheWriteTokens: 0 });
  });

  it.each([
    ['Anthropic', { anthropic: { cacheCreationInputTokens: 1_000 } }],
    ['Bedrock', { bedrock: { usage: { cacheWriteInputTokens: 1_000 } } }],
  ])('of v2, with what was written to it, by the metadata of %s', (_, metadata) => {
    const usage = { ...V2, cachedInputTokens: 400 };
    expect(aiSdkUsage(usage, metadata)).toMatchObject({
      inputTokens: 1_910,
      totalTokens: 1_930,
      cachedInputTokens: 400,
      cacheWriteTokens: 1_000,
    });
  });

  it('of v2 by Anthropic, where nothing was written', () => {
    const metadata = { anthropic: { cacheCreationInputTokens: null } };
    expect(aiSdkUsage({ ...V2, cachedInputTokens: 400 }, metadata)).toMatchObject({
      inputTokens: 910,
      cacheWriteTokens: 0,
    });
  });

  it('of v2, where it is a part of the input already', () => {
    expect(aiSdkUsage({ ...V2, inputTokens: 24_000 }, { openai: {} })).toMatchObject(COUNTED);
  });
});
