// A request to Chat Completions: messages, tools, parameters and cache marks.
export { jsonSchemaFormat } from './openai-format';
export { toOpenAiRequest } from './openai-request';
export { openAiInputOf, toOpenAiTool } from './openai-tool';
export { openAiCallId } from './openai-call-id';
export { openAiStrictSchema } from './openai-strict';
