import type { SessionSummary } from '../../run';
import type { TranscriptMessage } from '../../session';
import { documentedDto } from './documented.decorator';
import { OPTIONAL_TEXT, optional, TIME } from './field-schemas';
import { CALL_OUTCOMES, CONTENT_BLOCKS, RUN_STATUSES } from './chat-result.dto';

const CALL_APPROVAL = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['approved'],
};

const SessionRunDto = documentedDto<NonNullable<SessionSummary['run']>>('AgentSessionRun', {
  runId: ["The run's id"],
  status: ['Its status', { type: String, enum: RUN_STATUSES }],
});

/** A session in a list. */
export const SessionDto = documentedDto<SessionSummary>('AgentSession', {
  sessionId: ["The session's id"],
  createdAt: ['When it was created', TIME],
  lastUsedAt: ['When it was last used', TIME],
  permissions: ['The tools that its owner allowed for the rest of the session', { type: [String] }],
  title: ["The beginning of its owner's first message", OPTIONAL_TEXT],
  run: ['Its last run', optional({ type: SessionRunDto })],
});

/** A session that was created without a message. */
export const NewSessionDto = documentedDto('AgentNewSession', { sessionId: ["The session's id"] });

export const MessageDto = documentedDto<TranscriptMessage>('AgentMessage', {
  id: ['Its id within the session'],
  runId: ['The run that it belongs to', OPTIONAL_TEXT],
  at: ['When it was stored', optional(TIME)],
  outcomes: [
    'The outcome of each call, by its id, on the message with the results',
    byCall({ type: 'string', enum: [...CALL_OUTCOMES] }),
  ],
  approvals: [
    "The user's answer to each call that asked for approval, by its id, there",
    byCall(CALL_APPROVAL),
  ],
  role: ['The author', { type: String, enum: ['system', 'user', 'assistant'] }],
  content: ['Its parts, in order', CONTENT_BLOCKS],
  partial: ['Set if a cancel or a failure cut it off', optional({ type: Boolean })],
});

function byCall(schema: object) {
  return optional({ oneOf: [{ type: 'object', additionalProperties: schema }] });
}
