// OpenAI's Chat Completions protocol: request reader, encoder, errors.
export { openAiFailureOf, OpenAiRequestError } from './openai-error';
export { OpenAiEndpoint } from './openai-endpoint.decorator';
export { type CompletionRequest, completionRequestOf } from './openai-request';
export { OpenAiEncoder } from './openai.encoder';
export { OpenAiErrorFilter } from './openai-error.filter';
