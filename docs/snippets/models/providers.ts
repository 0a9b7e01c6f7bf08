import { fallback, offline, openai, react, type ChatModel } from 'nestjs-agent';
import { azureOpenAi, mistral, ollama } from 'nestjs-agent/models';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { aiSdk } from 'nestjs-agent/ai-sdk';
import { anthropic } from 'nestjs-agent/anthropic';

export const examples = {
  // #region services
  openai: openai({ model: 'gpt-4.1-mini' }),
  // any other service with OpenAI's Chat Completions
  compatible: openai({ model: 'qwen3', baseURL: 'http://gpu.example.com:8000/v1', apiKey: 'k' }),
  mistral: mistral({ model: 'mistral-medium-latest' }), // from 'nestjs-agent/models'
  azure: azureOpenAi({ resource: 'my-company', model: 'my-deployment' }),
  anthropic: anthropic({ model: 'claude-sonnet-5-5' }), // from 'nestjs-agent/anthropic'
  // #endregion services

  // #region search
  searching: anthropic({
    model: 'claude-sonnet-5-5',
    providerTools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }],
  }),
  // #endregion search

  // #region ai-sdk
  gemini: aiSdk(createGoogleGenerativeAI({ apiKey: 'k' })('gemini-3.5-flash'), {
    providerOptions: { google: { thinkingConfig: { includeThoughts: true } } },
  }),
  // #endregion ai-sdk

  // #region responses
  thinking: openai({
    model: 'gpt-5.4',
    reasoning: { effort: 'low', summary: 'auto' },
    providerTools: [{ type: 'web_search' }],
  }),
  // #endregion responses

  // #region fallback
  fallback: fallback([
    openai({ model: 'gpt-4.1-mini', retry: { maxAttempts: 1 } }),
    ollama({ model: 'qwen3' }),
  ]),
  // #endregion fallback

  // #region react
  react: react(ollama({ model: 'phi4' })),
  // #endregion react

  // #region offline
  offline: offline({ deltaDelayMs: 20 }), // pauses between words, to see it stream
  // #endregion offline
} satisfies Record<string, ChatModel>;
