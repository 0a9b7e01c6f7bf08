export { openai } from './openai.model';
export type { OpenAiOptions } from './openai-options';
export type { OpenAiQuirks } from './openai-quirks';
