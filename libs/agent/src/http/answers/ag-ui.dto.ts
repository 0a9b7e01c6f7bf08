import { JSON_OBJECT } from './any-json';
import { DocumentedAs, DocumentedField } from './documented.decorator';

const OBJECTS = { type: 'array', items: { type: 'object', additionalProperties: true } } as const;

/** The body of `POST /ag-ui`. @see https://docs.ag-ui.com/sdk/js/core/types */
@DocumentedAs('AgentAgUiInput')
export class AgUiInputDto {
  @DocumentedField("The client's id of the conversation", { type: String })
  readonly threadId!: string;

  @DocumentedField("The client's id of the request, sent back", { type: String })
  readonly runId!: string;

  @DocumentedField('The version of the protocol; missing before 1.0', {
    type: String,
    required: false,
  })
  readonly protocolVersion?: string;

  @DocumentedField('The whole conversation; what is new at its end is read', OBJECTS)
  readonly messages!: readonly object[];

  @DocumentedField('Tools that run in the browser', { ...OBJECTS, required: false })
  readonly tools?: readonly object[];

  @DocumentedField('What the client knows of the surroundings of the user', {
    ...OBJECTS,
    required: false,
  })
  readonly context?: readonly object[];

  @DocumentedField('Answers to interrupts', { ...OBJECTS, required: false })
  readonly resume?: readonly object[];
}

/** A message of a thread. */
@DocumentedAs('AgentAgUiMessage')
export class AgUiMessageDto {
  @DocumentedField('Names it within the thread', { type: String })
  readonly id!: string;

  @DocumentedField('Who says it', {
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
