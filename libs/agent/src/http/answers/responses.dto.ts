import { DocumentedAs, DocumentedField } from './documented.decorator';
import { JSON_OBJECT } from './any-json';

const OBJECTS = { type: 'array', items: { type: 'object', additionalProperties: true } } as const;

/** The required part of OpenAI's request; see `openai-compatible.md` for the rest. */
@DocumentedAs('AgentResponseRequest')
export class ResponseRequestDto {
  @DocumentedField("The user's message, or items in the form of OpenAI", {
    oneOf: [{ type: 'string' }, OBJECTS],
  })
  readonly input!: string | readonly object[];

  @DocumentedField('The name of the agent, or of one of its models; the agent by default', {
    type: String,
    required: false,
  })
  readonly model?: string;

  @DocumentedField('The last response of the conversation that goes on', {
    type: String,
    required: false,
  })
  readonly previous_response_id?: string;

  @DocumentedField('The session that goes on, as an alternative', { type: String, required: false })
  readonly conversation?: string;

  @DocumentedField('Whether to answer with an event stream', { type: Boolean, required: false })
  readonly stream?: boolean;
}

/** @see https://platform.openai.com/docs/api-reference/responses/object */
@DocumentedAs('AgentResponse')
export class ResponseDto {
  @DocumentedField('The id of the response', { type: String })
  readonly id!: string;

  @DocumentedField('What this is', { type: String, enum: ['response'] })
  readonly object!: 'response';

  @DocumentedField('Seconds since the epoch', { type: Number })
  readonly created_at!: number;

  @DocumentedField('How far it is', {
    type: String,
    enum: ['in_progress', 'completed', 'incomplete', 'cancelled', 'failed'],
  })
  readonly status!: string;

  @DocumentedField('As the request named it', { type: String })
  readonly model!: string;

  @DocumentedField('The items: messages, reasoning, calls and approval requests', OBJECTS)
  readonly output!: readonly object[];

  @DocumentedField('The tokens of all model calls', { ...JSON_OBJECT, nullable: true })
  readonly usage!: object | null;

  @DocumentedField('The session, as `{ id }`; null of a stateless response', {
    ...JSON_OBJECT,
    nullable: true,
  })
  readonly conversation!: object | null;
}

@DocumentedAs('AgentDeletedResponse')
export class DeletedResponseDto {
  @DocumentedField('The id of the response', { type: String })
  readonly id!: string;

  @DocumentedField('What this is', { type: String, enum: ['response'] })
  readonly object!: 'response';

  @DocumentedField('That it is no longer there', { type: Boolean })
  readonly deleted!: boolean;
}
