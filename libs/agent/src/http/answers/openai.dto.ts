import { DocumentedAs, DocumentedField } from './documented.decorator';
import { JSON_OBJECT } from './any-json';

const OBJECTS = { type: 'array', items: { type: 'object', additionalProperties: true } } as const;

/** The required part of OpenAI's request; see `openai-compatible.md` for the rest. */
@DocumentedAs('AgentCompletionRequest')
export class CompletionRequestDto {
  @DocumentedField('The name of the agent, or of one of its models', { type: String })
  readonly model!: string;

  @DocumentedField('The whole conversation, in the form of OpenAI', OBJECTS)
  readonly messages!: readonly object[];

  @DocumentedField('Whether to answer with an event stream', { type: Boolean, required: false })
  readonly stream?: boolean;
}

/** @see https://platform.openai.com/docs/api-reference/chat/object */
@DocumentedAs('AgentCompletion')
export class CompletionDto {
  @DocumentedField('The id of the answer', { type: String })
  readonly id!: string;

  @DocumentedField('What this is', { type: String, enum: ['chat.completion'] })
  readonly object!: 'chat.completion';

  @DocumentedField('Seconds since the epoch', { type: Number })
  readonly created!: number;

  @DocumentedField('As the request named it', { type: String })
  readonly model!: string;

  @DocumentedField('One, with the message', OBJECTS)
  readonly choices!: readonly object[];

  @DocumentedField('The tokens of all model calls', JSON_OBJECT)
  readonly usage!: object;
}

/** @see https://platform.openai.com/docs/api-reference/models/object */
@DocumentedAs('AgentModel')
export class ModelDto {
  @DocumentedField('The name to ask for it by', { type: String })
  readonly id!: string;

  @DocumentedField('What this is', { type: String, enum: ['model'] })
  readonly object!: 'model';

  @DocumentedField('Seconds since the epoch', { type: Number })
  readonly created!: number;

  @DocumentedField('Whose it is', { type: String })
  readonly owned_by!: string;
}

@DocumentedAs('AgentModelList')
export class ModelListDto {
  @DocumentedField('What this is', { type: String, enum: ['list'] })
  readonly object!: 'list';

  @DocumentedField('The models', { type: [ModelDto] })
  readonly data!: readonly ModelDto[];
}

@DocumentedAs('AgentOpenAiErrorDetail')
class OpenAiErrorDetailDto {
  @DocumentedField('What is wrong', { type: String })
  readonly message!: string;

  @DocumentedField('Its kind', { type: String })
  readonly type!: string;

  @DocumentedField('The field that is wrong', { type: String, nullable: true })
  readonly param!: string | null;

  @DocumentedField('Stable, for programs to read', { type: String, nullable: true })
  readonly code!: string | null;
}

/** @see https://platform.openai.com/docs/guides/error-codes */
@DocumentedAs('AgentOpenAiError')
export class OpenAiErrorDto {
  @DocumentedField('What went wrong', { type: OpenAiErrorDetailDto })
  readonly error!: OpenAiErrorDetailDto;
}
