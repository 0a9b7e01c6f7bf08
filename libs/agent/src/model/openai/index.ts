export { openai } from './openai.model';
export type { OpenAiOptions } from './openai-options';
export {
  azureOpenAi,
  deepSeek,
  miniMax,
  mistral,
  moonshot,
  ollama,
  openRouter,
  vllm,
  zhipu,
  type PresetOptions,
} from './openai-presets';
export type { OpenAiQuirks } from './openai-quirks';
