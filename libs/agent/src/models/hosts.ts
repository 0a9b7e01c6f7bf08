import { optionsOf, text } from '../checks';
import { type ChatModel } from '../model';
import { OPENAI_QUIRKS } from '../model/openai';
import { checkModelOptions } from '../model/stream';
import { preset, type PresetOptions } from './preset';

// Services that serve models of many makers.

const RESOURCE = optionsOf<{ readonly resource: string }>({ resource: text });

/**
 * Azure OpenAI through its v1 API: `model` is the deployment's name. The key is
 * `AZURE_OPENAI_API_KEY` by default.
 *
 * @param options `resource` and `model` are required
 * @see https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle
 * @example
 * import { azureOpenAi } from 'nestjs-agent/models';
 *
 * azureOpenAi({ resource: 'my-company', model: 'my-gpt-deployment' });
 */
export function azureOpenAi(
  options: PresetOptions & {
    /** The resource's name, the first part of its host. Required. */
    readonly resource: string;
  },
): ChatModel {
  const { resource, ...rest } = options;
  checkModelOptions('azureOpenAi()', RESOURCE, { resource }, ['resource']);
  return preset({
    baseURL: `https://${resource}.openai.azure.com/openai/v1`,
    keyVariable: 'AZURE_OPENAI_API_KEY',
    quirks: OPENAI_QUIRKS,
  })(rest);
}

/**
 * Open models on Cerebras; the key is `CEREBRAS_API_KEY` by default. It accepts text only.
 *
 * @see https://inference-docs.cerebras.ai/resources/openai
 * @example
 * import { cerebras } from 'nestjs-agent/models';
 *
 * cerebras({ model: 'gpt-oss-120b' });
 */
export const cerebras = preset({
  baseURL: 'https://api.cerebras.ai/v1',
  keyVariable: 'CEREBRAS_API_KEY',
  quirks: { maxTokensField: 'max_completion_tokens', images: false, files: false },
});

/**
 * Open models on Fireworks AI; the key is `FIREWORKS_API_KEY` by default.
 *
 * @see https://docs.fireworks.ai/tools-sdks/openai-compatibility
 * @example
 * import { fireworks } from 'nestjs-agent/models';
 *
 * fireworks({ model: 'accounts/fireworks/models/kimi-k3' });
 */
export const fireworks = preset({
  baseURL: 'https://api.fireworks.ai/inference/v1',
  keyVariable: 'FIREWORKS_API_KEY',
  quirks: { files: false },
});

/**
 * Open models on Groq; the key is `GROQ_API_KEY` by default. Only some of its models enforce a
 * schema, so answers are requested as plain JSON, with the schema in the prompt.
 *
 * @see https://console.groq.com/docs/openai
 * @see https://console.groq.com/docs/structured-outputs
 * @example
 * import { groq } from 'nestjs-agent/models';
 *
 * groq({ model: 'openai/gpt-oss-120b' });
 */
export const groq = preset({
  baseURL: 'https://api.groq.com/openai/v1',
  keyVariable: 'GROQ_API_KEY',
  quirks: {
    maxTokensField: 'max_completion_tokens',
    responseFormat: 'json_object',
    files: false,
  },
});

/**
 * Many providers' models through OpenRouter; the key is `OPENROUTER_API_KEY` by default.
 *
 * @see https://openrouter.ai/docs/api-reference/overview
 * @example
 * import { openRouter } from 'nestjs-agent/models';
 *
 * openRouter({ model: 'meta-llama/llama-3.3-70b-instruct' });
 */
export const openRouter = preset({
  baseURL: 'https://openrouter.ai/api/v1',
  keyVariable: 'OPENROUTER_API_KEY',
  quirks: { reasoningBack: 'reasoning' },
});

/**
 * Open models on Together AI; the key is `TOGETHER_API_KEY` by default.
 *
 * @see https://docs.together.ai/docs/inference/openai-compatibility
 * @example
 * import { together } from 'nestjs-agent/models';
 *
 * together({ model: 'openai/gpt-oss-20b' });
 */
export const together = preset({
  baseURL: 'https://api.together.ai/v1',
  keyVariable: 'TOGETHER_API_KEY',
  quirks: { files: false },
});
