import { DocumentedAs, DocumentedField } from './documented.decorator';
import { JSON_OBJECT, JSON_OBJECTS, OPTIONAL_TEXT } from './field-schemas';

/** The required part of OpenAI's request; see `openai-compatible.md` for the rest. */
@DocumentedAs('AgentResponseRequest')
export class ResponseRequestDto {
  @DocumentedField("The user's message, or items in the form of OpenAI", {
    oneOf: [{ type: 'string' }, JSON_OBJECTS],
  })
  readonly input!: string | readonly object[];

  @DocumentedField(
    'The name of the agent, or of one of its models; the agent by default',
    OPTIONAL_TEXT,
  )
  readonly model?: string;

  @DocumentedField('The last response of the conversation to continue', OPTIONAL_TEXT)
  readonly previous_response_id?: string;

  @DocumentedField('The session to continue, as an alternative', OPTIONAL_TEXT)
  readonly conversation?: string;

  @DocumentedField('Whether to answer with an event stream', { type: Boolean, required: false })
  readonly stream?: boolean;
}

/** @see https://platform.openai.com/docs/api-reference/responses/object */
@DocumentedAs('AgentResponse')
export class ResponseDto {
  @DocumentedField('The id of the response', { type: String })
  readonly id!: string;

  @DocumentedField('The type of the object', { type: String, enum: ['response'] })
  readonly object!: 'response';

  @DocumentedField('Seconds since the epoch', { type: Number })
  readonly created_at!: number;

  @DocumentedField('The status', {
    type: String,
    enum: ['in_progress', 'completed', 'incomplete', 'cancelled', 'failed'],
  })
  readonly status!: string;

  @DocumentedField("The request's name of the model", { type: String })
  readonly model!: string;

  @DocumentedField('The items: messages, reasoning, calls and approval requests', JSON_OBJECTS)
  readonly output!: readonly object[];

  @DocumentedField('The tokens of all model calls', { ...JSON_OBJECT, nullable: true })
  readonly usage!: object | null;

  @DocumentedField('The session, as `{ id }`; null for a stateless response', {
    ...JSON_OBJECT,
    nullable: true,
  })
  readonly conversation!: object | null;
}

@DocumentedAs('AgentDeletedResponse')
export class DeletedResponseDto {
  @DocumentedField('The id of the response', { type: String })
  readonly id!: string;

  @DocumentedField('The type of the object', { type: String, enum: ['response'] })
  readonly object!: 'response';

  @DocumentedField('Always true', { type: Boolean })
  readonly deleted!: boolean;
}
