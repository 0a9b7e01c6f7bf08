import { JSON_OBJECT, JSON_OBJECTS, OPTIONAL_TEXT, optional } from './field-schemas';
import { DocumentedAs, DocumentedField } from './documented.decorator';

/** The body of `POST /ag-ui`. @see https://docs.ag-ui.com/sdk/js/core/types */
@DocumentedAs('AgentAgUiInput')
export class AgUiInputDto {
  @DocumentedField("The client's id of the conversation", { type: String })
  readonly threadId!: string;

  @DocumentedField("The client's id of the request, sent back", { type: String })
  readonly runId!: string;

  @DocumentedField('The version of the protocol; missing before 1.0', OPTIONAL_TEXT)
  readonly protocolVersion?: string;

  @DocumentedField('The whole conversation; only new messages at its end are read', JSON_OBJECTS)
  readonly messages!: readonly object[];

  @DocumentedField('Tools that run in the browser', optional(JSON_OBJECTS))
  readonly tools?: readonly object[];

  @DocumentedField("Facts of the user's environment", optional(JSON_OBJECTS))
  readonly context?: readonly object[];

  @DocumentedField('Answers to interrupts', optional(JSON_OBJECTS))
  readonly resume?: readonly object[];
}

/** A message of a thread. */
@DocumentedAs('AgentAgUiMessage')
export class AgUiMessageDto {
  @DocumentedField('Its id within the thread', { type: String })
  readonly id!: string;

  @DocumentedField('The author', {
    type: String,
    enum: ['system', 'user', 'assistant', 'reasoning', 'tool'],
  })
  readonly role!: string;
}

/** @see https://docs.ag-ui.com/concepts/capabilities */
@DocumentedAs('AgentAgUiCapabilities')
export class AgUiCapabilitiesDto {
  @DocumentedField('The name of the agent', JSON_OBJECT)
  readonly identity!: object;

  @DocumentedField('The tools that the caller may use', JSON_OBJECT)
  readonly tools!: object;

  @DocumentedField('Approvals', JSON_OBJECT)
  readonly humanInTheLoop!: object;
}
