/**
 * Services with OpenAI's protocol, each with its address, the environment variable of its key, and
 * its differences. They need no further package.
 *
 * @module nestjs-agent/models
 */
export { azureOpenAi, cerebras, fireworks, groq, openRouter, together } from './hosts';
export { deepSeek, google, miniMax, mistral, moonshot, xAi, zhipu } from './makers';
export { ollama, vllm } from './own-servers';
export { perplexity } from './perplexity';
export type { PresetOptions } from './preset';
