// OpenAI's Chat Completions protocol: request reader, encoder, errors; and the parts that both of
// OpenAI's protocols share.
export { OpenAiModels, unknownModel } from './openai-models';
export { openAiFailureOf, OpenAiRequestError } from './openai-error';
export { OpenAiEndpoint } from './openai-endpoint.decorator';
export { blocksOf, checkedBlocks, stringIn } from './openai-content';
export {
  booleanOf,
  checkFields,
  invalid,
  listIn,
  type RawBody,
  toolChoiceOf,
  unsupported,
  wrong,
} from './openai-fields';
export { blocksIn, type ConversationLimits, toolUseOf } from './openai-messages';
export { type CompletionRequest, completionRequestOf, functionOf } from './openai-request';
export { formatOf, maxTokensOf, samplingOf, wordOf } from './openai-settings';
export { answerOpenAi, type OpenAiAnswer } from './openai.responder';
export { secondsNow } from './seconds';
export { OpenAiEncoder } from './openai.encoder';
