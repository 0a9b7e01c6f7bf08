// A request to Chat Completions: messages, tools, parameters and cache marks.
export { toOpenAiRequest } from './openai-request';
export { jsonSchemaFormat, openAiInputOf, toOpenAiTool } from './openai-schema';
export { openAiCallId } from './openai-call-id';
export { openAiStrictSchema } from './openai-strict';
