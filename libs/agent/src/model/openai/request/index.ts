// A request to Chat Completions: messages, tools, parameters and cache marks.
export { toOpenAiRequest } from './openai-request';
export { jsonSchemaFormat, openAiInputOf, toOpenAiTool } from './openai-schema';
export { pictureAddress } from './openai-content';
export { openAiCallId } from './openai-call-id';
export { openAiStrictSchema } from './openai-strict';
