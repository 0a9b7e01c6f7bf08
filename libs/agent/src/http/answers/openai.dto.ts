import { DocumentedAs, DocumentedField } from './documented.decorator';
import { JSON_OBJECT, JSON_OBJECTS } from './field-schemas';

/** The required part of OpenAI's request; see `openai-compatible.md` for the rest. */
@DocumentedAs('AgentCompletionRequest')
export class CompletionRequestDto {
  @DocumentedField('The name of the agent, or of one of its models', { type: String })
  readonly model!: string;

  @DocumentedField('The whole conversation, in the form of OpenAI', JSON_OBJECTS)
  readonly messages!: readonly object[];

  @DocumentedField('Whether to answer with an event stream', { type: Boolean, required: false })
  readonly stream?: boolean;
}

/** @see https://platform.openai.com/docs/api-reference/chat/object */
@DocumentedAs('AgentCompletion')
export class CompletionDto {
  @DocumentedField('The id of the answer', { type: String })
  readonly id!: string;

  @DocumentedField('The type of the object', { type: String, enum: ['chat.completion'] })
  readonly object!: 'chat.completion';

  @DocumentedField('Seconds since the epoch', { type: Number })
  readonly created!: number;

  @DocumentedField("The request's name of the model", { type: String })
  readonly model!: string;

  @DocumentedField('One, with the message', JSON_OBJECTS)
  readonly choices!: readonly object[];

  @DocumentedField('The tokens of all model calls', JSON_OBJECT)
  readonly usage!: object;
}

/** @see https://platform.openai.com/docs/api-reference/models/object */
@DocumentedAs('AgentModel')
export class ModelDto {
  @DocumentedField('The name for requests', { type: String })
  readonly id!: string;

  @DocumentedField('The type of the object', { type: String, enum: ['model'] })
  readonly object!: 'model';

  @DocumentedField('Seconds since the epoch', { type: Number })
  readonly created!: number;

  @DocumentedField('The name of the agent', { type: String })
  readonly owned_by!: string;
}

@DocumentedAs('AgentModelList')
export class ModelListDto {
  @DocumentedField('The type of the object', { type: String, enum: ['list'] })
  readonly object!: 'list';

  @DocumentedField('The models', { type: [ModelDto] })
  readonly data!: readonly ModelDto[];
}

@DocumentedAs('AgentOpenAiErrorDetail')
class OpenAiErrorDetailDto {
  @DocumentedField('The error message', { type: String })
  readonly message!: string;

  @DocumentedField('The kind of the error', { type: String })
  readonly type!: string;

  @DocumentedField('The invalid field', { type: String, nullable: true })
  readonly param!: string | null;

  @DocumentedField('Stable, for programs to read', { type: String, nullable: true })
  readonly code!: string | null;
}

/** @see https://platform.openai.com/docs/guides/error-codes */
@DocumentedAs('AgentOpenAiError')
export class OpenAiErrorDto {
  @DocumentedField('The error', { type: OpenAiErrorDetailDto })
  readonly error!: OpenAiErrorDetailDto;
}
