import type { ChatResult } from '../../run';
import { OpenAiEncoder } from './openai.encoder';

describe('OpenAiEncoder', () => {
  const encoder = new OpenAiEncoder({
    runId: 'r',
    model: 'm',
    isJson: false,
    includesUsage: true,
    created: 0,
    clientNameOf: (name) => name,
  });
  const result = {
    stopReason: 'end_turn',
    pendingActions: [],
    usage: {
      inputTokens: 100,
      outputTokens: 20,
      totalTokens: 120,
      cachedInputTokens: 60,
      cacheWriteTokens: 10,
      reasoningTokens: 15,
    },
  } as unknown as ChatResult;

  it('reports cached tokens and thoughts, streamed or not', () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      prompt_tokens_details: { cached_tokens: 60 },
      completion_tokens_details: { reasoning_tokens: 15 },
    };
    expect(encoder.whole(result)).toMatchObject({ usage });
    const [counted, done] = encoder.close(result).trim().split('\n\n').slice(-2);
    expect(JSON.parse(counted?.slice('data: '.length) ?? '')).toMatchObject({ usage });
    expect(done).toBe('data: [DONE]');
  });
});
