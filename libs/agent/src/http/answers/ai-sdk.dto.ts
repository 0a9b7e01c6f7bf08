import { documentedDto } from './documented.decorator';
import { JSON_OBJECT, JSON_OBJECTS, OPTIONAL_TEXT, optional } from './field-schemas';

const TRIGGER = optional({ type: String, enum: ['submit-message', 'regenerate-message'] });

/** The body of the AI SDK's `DefaultChatTransport`: the fields that are read. */
export const AiSdkRequestDto = documentedDto('AgentAiSdkRequest', {
  id: ['The id of the chat'],
  messages: [
    'The UI messages of the chat; or the last of them, as message',
    optional(JSON_OBJECTS),
  ],
  message: ['The last UI message, in place of all', optional(JSON_OBJECT)],
  trigger: ['The reason for the request', TRIGGER],
  messageId: ['The message that is sent or answered again', OPTIONAL_TEXT],
  frontendTools: ['Tools that run in the browser', optional(JSON_OBJECTS)],
});

/** @see https://ai-sdk.dev/docs/reference/ai-sdk-core/ui-message */
export const UiMessageDto = documentedDto('AgentUiMessage', {
  id: ['Its id within the chat'],
  role: ['The author', { type: String, enum: ['system', 'user', 'assistant'] }],
  metadata: ['Its session, its run and its time', JSON_OBJECT],
  parts: ['Its parts, in order', JSON_OBJECTS],
});
