import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';

// #region ai
export function ask(token: string, question: string, agent = 'http://127.0.0.1:3000/agent') {
  const shop = createOpenAICompatible({ name: 'shop', baseURL: `${agent}/v1`, apiKey: token });
  return streamText({
    model: shop('shop-agent'),
    prompt: question,
    maxRetries: 0,
    stopWhen: stepCountIs(3),
    tools: {
      get_weather: tool({
        description: 'The weather in a city',
        inputSchema: z.object({ city: z.string() }),
        execute: ({ city }) => `rain in ${city}`,
      }),
    },
  }).textStream;
}
// #endregion ai
