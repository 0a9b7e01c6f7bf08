import { documentedDto } from './documented.decorator';
import { JSON_OBJECT, JSON_OBJECTS, OPTIONAL_TEXT, optional } from './field-schemas';

/** The body of `POST /ag-ui`. @see https://docs.ag-ui.com/sdk/js/core/types */
export const AgUiInputDto = documentedDto('AgentAgUiInput', {
  threadId: ["The client's id of the conversation"],
  runId: ["The client's id of the request, sent back"],
  protocolVersion: ['The version of the protocol; missing before 1.0', OPTIONAL_TEXT],
  messages: ['The whole conversation; only new messages at its end are read', JSON_OBJECTS],
  tools: ['Tools that run in the browser', optional(JSON_OBJECTS)],
  context: ["Facts of the user's environment", optional(JSON_OBJECTS)],
  resume: ['Answers to interrupts', optional(JSON_OBJECTS)],
});

const ROLES = ['system', 'user', 'assistant', 'reasoning', 'tool'];

export const AgUiMessageDto = documentedDto('AgentAgUiMessage', {
  id: ['Its id within the thread'],
  role: ['The author', { type: String, enum: ROLES }],
});

/** @see https://docs.ag-ui.com/concepts/capabilities */
export const AgUiCapabilitiesDto = documentedDto('AgentAgUiCapabilities', {
  identity: ['The name of the agent', JSON_OBJECT],
  tools: ['The tools that the caller may use', JSON_OBJECT],
  humanInTheLoop: ['Approvals', JSON_OBJECT],
});
