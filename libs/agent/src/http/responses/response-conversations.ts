import type { ChatResult, SessionClaim, SessionService } from '../../run';
import { sessionIdOf } from '../caller';
import { OpenAiRequestError } from '../openai';
import type { ConversationPointer } from './request';
import type { StoredResponses } from './stored-responses';

/** A run that waits, and where. */
type WaitingRun = Pick<ChatResult, 'sessionId' | 'runId' | 'status'>;

/** Finds the session or run that a request continues. */
export class ResponseConversations {
  constructor(
    private readonly responses: StoredResponses,
    private readonly sessions: SessionService,
  ) {}

  /**
   * The session that a message continues; `undefined` for a first message.
   *
   * @throws OpenAiRequestError 400 if the response is not the conversation's last; 404 if there is
   *   no such response
   * @throws SessionNotFoundError if this caller has no such session
   */
  async sessionOf(pointer: ConversationPointer, claim: SessionClaim): Promise<string | undefined> {
    const { previousResponseId, conversation } = pointer;
    if (previousResponseId === undefined) {
      if (conversation === undefined) return undefined;
      return (await this.sessions.get(sessionIdOf(conversation), claim)).sessionId;
    }
    const stored = await this.responses.find(previousResponseId, claim, 'previous_response_id');
    checkConversation(stored.run.sessionId, conversation);
    if (stored.isLast) return stored.run.sessionId;
    throw new OpenAiRequestError(
      "Invalid 'previous_response_id': the conversation has continued since. Send the id of its last response, or its 'conversation'.",
      'previous_response_id',
      'not_last_response',
    );
  }

  /**
   * The run that answers are for; whether it waits for them is checked where it is resumed.
   *
   * @throws OpenAiRequestError 404 if there is no such response; 409 if the session has no run
   * @throws SessionNotFoundError if this caller has no such session
   */
  async runOf(pointer: ConversationPointer, claim: SessionClaim): Promise<WaitingRun> {
    const { previousResponseId, conversation } = pointer;
    if (previousResponseId === undefined) {
      const { sessionId, run } = await this.sessions.get(sessionIdOf(conversation), claim);
      if (run !== undefined) return { sessionId, runId: run.runId, status: run.status };
      throw new OpenAiRequestError(
        'The conversation waits for nothing.',
        'input',
        'not_pending',
        409,
      );
    }
    const { run } = await this.responses.find(previousResponseId, claim, 'previous_response_id');
    checkConversation(run.sessionId, conversation);
    return run;
  }
}

function checkConversation(sessionId: string, conversation: string | undefined): void {
  if (conversation === undefined || conversation === sessionId) return;
  throw new OpenAiRequestError(
    "Invalid 'previous_response_id': the response belongs to another conversation.",
    'previous_response_id',
  );
}
