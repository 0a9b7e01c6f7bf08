import type { CallOutcome, ContentBlock, Message, RunStatus } from '../../message';
import type { SessionSummary } from '../../run';
import type { CallApproval, TranscriptMessage } from '../../session';
import { DocumentedAs, DocumentedField } from './documented.decorator';
import { OPTIONAL_TEXT } from './field-schemas';
import { CALL_OUTCOMES, CONTENT_BLOCKS, RUN_STATUSES } from './chat-result.dto';

const CALL_APPROVAL = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['approved'],
};

@DocumentedAs('AgentSessionRun')
class SessionRunDto implements NonNullable<SessionSummary['run']> {
  @DocumentedField("The run's id", { type: String })
  readonly runId!: string;

  @DocumentedField('Its status', { type: String, enum: RUN_STATUSES })
  readonly status!: RunStatus;
}

/** A session in a list. */
@DocumentedAs('AgentSession')
export class SessionDto implements SessionSummary {
  @DocumentedField("The session's id", { type: String })
  readonly sessionId!: string;

  @DocumentedField('When it was created', { type: String, format: 'date-time' })
  readonly createdAt!: string;

  @DocumentedField('When it was last used', { type: String, format: 'date-time' })
  readonly lastUsedAt!: string;

  @DocumentedField('The tools that its owner allowed for the rest of the session', {
    type: [String],
  })
  readonly permissions!: readonly string[];

  @DocumentedField("The beginning of its owner's first message", OPTIONAL_TEXT)
  readonly title?: string;

  @DocumentedField('Its last run', { type: SessionRunDto, required: false })
  readonly run?: SessionRunDto;
}

/** A session that was created without a message. */
@DocumentedAs('AgentNewSession')
export class NewSessionDto {
  @DocumentedField("The session's id", { type: String })
  readonly sessionId!: string;
}

/** A message of a session. */
@DocumentedAs('AgentMessage')
export class MessageDto implements TranscriptMessage {
  @DocumentedField('Its id within the session', { type: String })
  readonly id!: string;

  @DocumentedField('The run that it belongs to', OPTIONAL_TEXT)
  readonly runId?: string;

  @DocumentedField('When it was stored', { type: String, format: 'date-time', required: false })
  readonly at?: string;

  @DocumentedField('The outcome of each call, by its id, on the message with the results', {
    oneOf: [{ type: 'object', additionalProperties: { type: 'string', enum: [...CALL_OUTCOMES] } }],
    required: false,
  })
  readonly outcomes?: Readonly<Record<string, CallOutcome>>;

  @DocumentedField("The user's answer to each call that asked for approval, by its id, there", {
    oneOf: [{ type: 'object', additionalProperties: CALL_APPROVAL }],
    required: false,
  })
  readonly approvals?: Readonly<Record<string, CallApproval>>;

  @DocumentedField('The author', { type: String, enum: ['system', 'user', 'assistant'] })
  readonly role!: Message['role'];

  @DocumentedField('Its parts, in order', CONTENT_BLOCKS)
  readonly content!: readonly ContentBlock[];

  @DocumentedField('Set if a cancel or a failure cut it off', { type: Boolean, required: false })
  readonly partial?: true;
}
