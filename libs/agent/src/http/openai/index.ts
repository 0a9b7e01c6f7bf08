// OpenAI's Chat Completions protocol: request reader, encoder, errors.
export { openAiFailureOf, OpenAiRequestError } from './openai-error';
export { OpenAiEndpoint } from './openai-endpoint.decorator';
export { completionRequestOf } from './openai-request';
export { OpenAiResponder } from './openai.responder';
export { OpenAiErrorFilter } from './openai-error.filter';
