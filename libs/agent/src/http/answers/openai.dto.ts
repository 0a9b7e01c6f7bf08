import { documentedDto } from './documented.decorator';
import { JSON_OBJECT, JSON_OBJECTS, optional } from './field-schemas';

/** The required part of OpenAI's request; see `openai-compatible.md` for the rest. */
export const CompletionRequestDto = documentedDto('AgentCompletionRequest', {
  model: ['The name of the agent, or of one of its models'],
  messages: ['The whole conversation, in the form of OpenAI', JSON_OBJECTS],
  stream: ['Whether to answer with an event stream', optional({ type: Boolean })],
});

/** @see https://platform.openai.com/docs/api-reference/chat/object */
export const CompletionDto = documentedDto('AgentCompletion', {
  id: ['The id of the answer'],
  object: ['The type of the object', { type: String, enum: ['chat.completion'] }],
  created: ['Seconds since the epoch', { type: Number }],
  model: ["The request's name of the model"],
  choices: ['One, with the message', JSON_OBJECTS],
  usage: ['The tokens of all model calls', JSON_OBJECT],
});

/** @see https://platform.openai.com/docs/api-reference/models/object */
export const ModelDto = documentedDto('AgentModel', {
  id: ['The name for requests'],
  object: ['The type of the object', { type: String, enum: ['model'] }],
  created: ['Seconds since the epoch', { type: Number }],
  owned_by: ['The name of the agent'],
});

export const ModelListDto = documentedDto('AgentModelList', {
  object: ['The type of the object', { type: String, enum: ['list'] }],
  data: ['The models', { type: [ModelDto] }],
});

const OpenAiErrorDetailDto = documentedDto('AgentOpenAiErrorDetail', {
  message: ['The error message'],
  type: ['The kind of the error'],
  param: ['The invalid field', { type: String, nullable: true }],
  code: ['Stable, for programs to read', { type: String, nullable: true }],
});

/** @see https://platform.openai.com/docs/guides/error-codes */
export const OpenAiErrorDto = documentedDto('AgentOpenAiError', {
  error: ['The error', { type: OpenAiErrorDetailDto }],
});
