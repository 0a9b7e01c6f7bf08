/**
 * Services that speak OpenAI's protocol, each with its address, the variable of its key, and what it
 * does differently. They need no package besides.
 *
 * @module nestjs-agent/models
 */
export { azureOpenAi, cerebras, fireworks, groq, openRouter, together } from './hosts';
export { deepSeek, google, miniMax, mistral, moonshot, xAi, zhipu } from './makers';
export { ollama, vllm } from './own-servers';
export { perplexity } from './perplexity';
export type { PresetOptions } from './preset';
