import type { ChatModel } from '../chat-model';
import type { ModelTimeouts } from '../stream';
import type { OpenAiOptions } from './openai-options';
import { OPENAI_QUIRKS, type OpenAiQuirks } from './openai-quirks';
import { OpenAiModel } from './openai.model';

/** What is known of a service that speaks OpenAI's protocol. */
export interface OpenAiPreset {
  readonly baseURL: string;
  /** The environment variable with the key; without one, no key is needed. */
  readonly keyVariable?: string;
  readonly quirks: OpenAiQuirks;
  readonly timeouts?: ModelTimeouts;
}

/**
 * Options of a preset: those of `openai()`, with defaults that fit the service.
 *
 * @example
 * const options: PresetOptions = { model: 'deepseek-chat', timeouts: { connectMs: 10_000 } };
 */
export type PresetOptions = OpenAiOptions & {
  /** The service's own name of the model. Required. */
  readonly model: string;
};

function preset(service: OpenAiPreset): (options: PresetOptions) => ChatModel {
  return (options) =>
    new OpenAiModel(
      {
        ...options,
        quirks: { ...service.quirks, ...options.quirks },
        timeouts: { ...service.timeouts, ...options.timeouts },
      },
      service,
    );
}

/**
 * GLM models of Zhipu BigModel; the key is `ZHIPUAI_API_KEY` by default. The service always lets the
 * model choose its tools.
 *
 * @see https://docs.bigmodel.cn/api-reference
 * @example
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

/**
 * MiniMax; the key is `MINIMAX_API_KEY` by default. Inside China, set `baseURL` to
 * `https://api.minimaxi.com/v1`. Its models think between tags in the text and want that back with
 * the history.
 *
 * @see https://platform.minimax.io/docs/api-reference/text-openai-api
 * @example
 * miniMax({ model: 'MiniMax-M2' });
 */
export const miniMax = preset({
  baseURL: 'https://api.minimax.io/v1',
  keyVariable: 'MINIMAX_API_KEY',
  quirks: {
    thinkTags: true,
    reasoningBack: 'think_tags',
    responseFormat: 'prompt',
    toolChoice: 'no-force',
    files: false,
  },
});

/**
 * DeepSeek; the key is `DEEPSEEK_API_KEY` by default. A thinking model wants the thoughts before a
 * call back.
 *
 * @see https://api-docs.deepseek.com/guides/thinking_mode
 * @example
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
 * Kimi models of Moonshot; the key is `MOONSHOT_API_KEY` by default. A thinking model wants the
 * thoughts before a call back.
 *
 * @see https://platform.moonshot.ai/docs
 * @example
 * moonshot({ model: 'kimi-k2-0905-preview' });
 */
export const moonshot = preset({
  baseURL: 'https://api.moonshot.ai/v1',
  keyVariable: 'MOONSHOT_API_KEY',
  quirks: {
    toolChoice: 'no-force',
    responseFormat: 'json_object',
    reasoningBack: 'reasoning_content',
    files: false,
  },
});

/**
 * Mistral's own platform; the key is `MISTRAL_API_KEY` by default. Ids of calls have nine characters,
 * and unknown fields are refused.
 *
 * @see https://docs.mistral.ai/api
 * @example
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
 * A local Ollama, at `http://127.0.0.1:11434/v1` by default; it needs no key. The first call loads the
 * model, which may take minutes.
 *
 * @see https://docs.ollama.com/api/openai-compatibility
 * @example
 * ollama({ model: 'qwen3' });
 */
export const ollama = preset({
  baseURL: 'http://127.0.0.1:11434/v1',
  quirks: { files: false },
  timeouts: { connectMs: 300_000 },
});

/**
 * A vLLM server of one's own, at `http://127.0.0.1:8000/v1` by default; `apiKey` where it was started
 * with one.
 *
 * @see https://docs.vllm.ai/en/stable/serving/openai_compatible_server.html
 * @example
 * vllm({ model: 'Qwen/Qwen3-8B', baseURL: 'http://gpu-1.internal:8000/v1' });
 */
export const vllm = preset({
  baseURL: 'http://127.0.0.1:8000/v1',
  quirks: { files: false },
});

/**
 * Many providers' models through OpenRouter; the key is `OPENROUTER_API_KEY` by default.
 *
 * @see https://openrouter.ai/docs/api-reference/overview
 * @example
 * openRouter({ model: 'meta-llama/llama-3.3-70b-instruct' });
 */
export const openRouter = preset({
  baseURL: 'https://openrouter.ai/api/v1',
  keyVariable: 'OPENROUTER_API_KEY',
  quirks: { reasoningBack: 'reasoning' },
});

/**
 * Azure OpenAI through its v1 API: `model` is the name of the deployment. The key is
 * `AZURE_OPENAI_API_KEY` by default.
 *
 * @param options `resource` and `model` are required
 * @see https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle
 * @example
 * azureOpenAi({ resource: 'my-company', model: 'my-gpt-deployment' });
 */
export function azureOpenAi(
  options: PresetOptions & {
    /** The resource's name, the first part of its host. Required. */
    readonly resource: string;
  },
): ChatModel {
  const { resource, ...rest } = options;
  return preset({
    baseURL: `https://${resource}.openai.azure.com/openai/v1`,
    keyVariable: 'AZURE_OPENAI_API_KEY',
    quirks: OPENAI_QUIRKS,
  })(rest);
}
