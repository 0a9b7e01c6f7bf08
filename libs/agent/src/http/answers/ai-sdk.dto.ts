import { JSON_OBJECT, optional } from './any-json';
import { DocumentedAs, DocumentedField } from './documented.decorator';

const OBJECTS = { type: 'array', items: { type: 'object', additionalProperties: true } } as const;

/** What the AI SDK's `DefaultChatTransport` sends, as far as it is read. */
@DocumentedAs('AgentAiSdkRequest')
export class AiSdkRequestDto {
  @DocumentedField('The id of the chat', { type: String })
  readonly id!: string;

  @DocumentedField('The UI messages of the chat; or the last of them, as message', {
    ...OBJECTS,
    required: false,
  })
  readonly messages?: readonly object[];

  @DocumentedField('The last UI message, in place of all', optional(JSON_OBJECT))
  readonly message?: object;

  @DocumentedField('Why this is sent', {
    type: String,
    enum: ['submit-message', 'regenerate-message'],
    required: false,
  })
  readonly trigger?: string;

  @DocumentedField('The message that is sent or answered again', { type: String, required: false })
  readonly messageId?: string;

  @DocumentedField('Tools that run in the browser', { ...OBJECTS, required: false })
  readonly frontendTools?: readonly object[];
}

/** @see https://ai-sdk.dev/docs/reference/ai-sdk-core/ui-message */
@DocumentedAs('AgentUiMessage')
export class UiMessageDto {
  @DocumentedField('Names it within the chat', { type: String })
  readonly id!: string;

  @DocumentedField('Who says it', { type: String, enum: ['system', 'user', 'assistant'] })
  readonly role!: string;

  @DocumentedField('Its session, its run, and when it was said', JSON_OBJECT)
  readonly metadata!: object;

  @DocumentedField('Its parts, in the order they were said', OBJECTS)
  readonly parts!: readonly object[];
}
