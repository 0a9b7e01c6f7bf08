// OpenAI's Chat Completions protocol: request reader, encoder, errors; what both of OpenAI's protocols
// share.
export { OpenAiModels, unknownModel } from './openai-models';
export { openAiFailureOf, OpenAiRequestError } from './openai-error';
export { OpenAiEndpoint } from './openai-endpoint.decorator';
export { booleanOf, numberOf, type RawBody, wrong } from './openai-fields';
export { argumentsOf, type ConversationLimits } from './openai-messages';
export { type CompletionRequest, completionRequestOf, OPENAI_NAME } from './openai-request';
export { schemaFormatOf, wordOf } from './openai-settings';
export { OpenAiEncoder } from './openai.encoder';
export { OpenAiErrorFilter } from './openai-error.filter';
