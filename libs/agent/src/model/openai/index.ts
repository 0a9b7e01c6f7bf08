// Models that speak OpenAI's protocols: Chat Completions and the Responses API.
export { openai, type OpenAiService, openAiService } from './openai';
export type { OpenAiOptions } from './openai-options';
export { type OpenAiQuirks, OPENAI_QUIRKS } from './openai-quirks';
