export { openai, OpenAiModel } from './openai.model';
export type { OpenAiOptions } from './openai-options';
export { type OpenAiQuirks, OPENAI_QUIRKS } from './openai-quirks';
