import { documentedDto } from './documented.decorator';
import { JSON_OBJECT, JSON_OBJECTS, OPTIONAL_TEXT, optional } from './field-schemas';

const OBJECT = { type: String, enum: ['response'] };
const STATUSES = ['in_progress', 'completed', 'incomplete', 'cancelled', 'failed'];

/** The required part of OpenAI's request; see `openai-compatible.md` for the rest. */
export const ResponseRequestDto = documentedDto('AgentResponseRequest', {
  input: [
    "The user's message, or items in the form of OpenAI",
    { oneOf: [{ type: 'string' }, JSON_OBJECTS] },
  ],
  model: ['The name of the agent, or of one of its models; the agent by default', OPTIONAL_TEXT],
  previous_response_id: ['The last response of the conversation to continue', OPTIONAL_TEXT],
  conversation: ['The session to continue, as an alternative', OPTIONAL_TEXT],
  stream: ['Whether to answer with an event stream', optional({ type: Boolean })],
});

/** @see https://platform.openai.com/docs/api-reference/responses/object */
export const ResponseDto = documentedDto('AgentResponse', {
  id: ['The id of the response'],
  object: ['The type of the object', OBJECT],
  created_at: ['Seconds since the epoch', { type: Number }],
  status: ['The status', { type: String, enum: STATUSES }],
  model: ["The request's name of the model"],
  output: ['The items: messages, reasoning, calls and approval requests', JSON_OBJECTS],
  usage: ['The tokens of all model calls', { ...JSON_OBJECT, nullable: true }],
  conversation: [
    'The session, as `{ id }`; null for a stateless response',
    { ...JSON_OBJECT, nullable: true },
  ],
});

export const DeletedResponseDto = documentedDto('AgentDeletedResponse', {
  id: ['The id of the response'],
  object: ['The type of the object', OBJECT],
  deleted: ['Always true', { type: Boolean }],
});
