import { preset } from './preset';

// Services that serve their own models.

/**
 * DeepSeek; the key is `DEEPSEEK_API_KEY` by default. A thinking model requires the thoughts before
 * a call to be sent back.
 *
 * @see https://api-docs.deepseek.com/guides/thinking_mode
 * @example
 * import { deepSeek } from 'nestjs-agent/models';
 *
 * deepSeek({ model: 'deepseek-chat' });
 */
export const deepSeek = preset({
  baseURL: 'https://api.deepseek.com',
  keyVariable: 'DEEPSEEK_API_KEY',
  quirks: {
    responseFormat: 'json_object',
    reasoningBack: 'reasoning_content',
    images: false,
    files: false,
  },
});

/**
 * Gemini, through Google's OpenAI-compatible API; the key is `GEMINI_API_KEY` by default. Thought
 * signatures of calls are sent back with the calls. The API documents pictures, but no files.
 *
 * @see https://ai.google.dev/gemini-api/docs/openai
 * @example
 * import { google } from 'nestjs-agent/models';
 *
 * google({ model: 'gemini-3.5-flash' });
 */
export const google = preset({
  baseURL: 'https://generativelanguage.googleapis.com/v1beta/openai',
  keyVariable: 'GEMINI_API_KEY',
  quirks: { files: false },
});

/**
 * MiniMax; the key is `MINIMAX_API_KEY` by default. Inside China, set `baseURL` to
 * `https://api.minimaxi.com/v1`. Its models think between tags in the text, which must be sent back
 * with the history.
 *
 * @see https://platform.minimax.io/docs/api-reference/text-openai-api
 * @example
 * import { miniMax } from 'nestjs-agent/models';
 *
 * miniMax({ model: 'MiniMax-M2' });
 */
export const miniMax = preset({
  baseURL: 'https://api.minimax.io/v1',
  keyVariable: 'MINIMAX_API_KEY',
  quirks: {
    thinkTags: true,
    reasoningBack: 'think_tags',
    singleSystem: true,
    responseFormat: 'prompt',
    toolChoice: 'no-force',
    files: false,
  },
});

/**
 * Mistral's own platform; the key is `MISTRAL_API_KEY` by default. Call ids have nine characters,
 * and unknown fields are rejected.
 *
 * @see https://docs.mistral.ai/api
 * @example
 * import { mistral } from 'nestjs-agent/models';
 *
 * mistral({ model: 'mistral-small-latest' });
 */
export const mistral = preset({
  baseURL: 'https://api.mistral.ai/v1',
  keyVariable: 'MISTRAL_API_KEY',
  quirks: {
    requiredAs: 'any',
    shortCallIds: true,
    assistantAfterTool: true,
    streamUsage: false,
    files: false,
  },
});

/**
 * Kimi models of Moonshot; the key is `MOONSHOT_API_KEY` by default. A thinking model requires the
 * thoughts before a call to be sent back.
 *
 * @see https://platform.moonshot.ai/docs
 * @example
 * import { moonshot } from 'nestjs-agent/models';
 *
 * moonshot({ model: 'kimi-k2-0905-preview' });
 */
export const moonshot = preset({
  baseURL: 'https://api.moonshot.ai/v1',
  keyVariable: 'MOONSHOT_API_KEY',
  quirks: {
    toolChoice: 'no-force',
    responseFormat: 'json_object',
    reasoningBack: 'reasoning_content',
    plainUnions: true,
    files: false,
  },
});

/**
 * Grok models of xAI; the key is `XAI_API_KEY` by default.
 *
 * @see https://docs.x.ai/docs/api-reference
 * @example
 * import { xAi } from 'nestjs-agent/models';
 *
 * xAi({ model: 'grok-4.3' });
 */
export const xAi = preset({
  baseURL: 'https://api.x.ai/v1',
  keyVariable: 'XAI_API_KEY',
  quirks: { files: false },
});

/**
 * GLM models of Zhipu BigModel; the key is `ZHIPUAI_API_KEY` by default. The service supports only
 * automatic tool choice.
 *
 * @see https://docs.bigmodel.cn/api-reference
 * @example
 * import { zhipu } from 'nestjs-agent/models';
 *
 * zhipu({ model: 'glm-4.6' });
 */
export const zhipu = preset({
  baseURL: 'https://open.bigmodel.cn/api/paas/v4',
  keyVariable: 'ZHIPUAI_API_KEY',
  quirks: {
    toolChoice: 'auto',
    responseFormat: 'json_object',
    reasoningBack: 'reasoning_content',
    streamUsage: false,
    files: false,
  },
});
