import { JSON_OBJECT, JSON_OBJECTS, OPTIONAL_TEXT, optional } from './field-schemas';
import { DocumentedAs, DocumentedField } from './documented.decorator';

/** The body of the AI SDK's `DefaultChatTransport`: the fields that are read. */
@DocumentedAs('AgentAiSdkRequest')
export class AiSdkRequestDto {
  @DocumentedField('The id of the chat', { type: String })
  readonly id!: string;

  @DocumentedField(
    'The UI messages of the chat; or the last of them, as message',
    optional(JSON_OBJECTS),
  )
  readonly messages?: readonly object[];

  @DocumentedField('The last UI message, in place of all', optional(JSON_OBJECT))
  readonly message?: object;

  @DocumentedField('The reason for the request', {
    type: String,
    enum: ['submit-message', 'regenerate-message'],
    required: false,
  })
  readonly trigger?: string;

  @DocumentedField('The message that is sent or answered again', OPTIONAL_TEXT)
  readonly messageId?: string;

  @DocumentedField('Tools that run in the browser', optional(JSON_OBJECTS))
  readonly frontendTools?: readonly object[];
}

/** @see https://ai-sdk.dev/docs/reference/ai-sdk-core/ui-message */
@DocumentedAs('AgentUiMessage')
export class UiMessageDto {
  @DocumentedField('Its id within the chat', { type: String })
  readonly id!: string;

  @DocumentedField('The author', { type: String, enum: ['system', 'user', 'assistant'] })
  readonly role!: string;

  @DocumentedField('Its session, its run and its time', JSON_OBJECT)
  readonly metadata!: object;

  @DocumentedField('Its parts, in order', JSON_OBJECTS)
  readonly parts!: readonly object[];
}
