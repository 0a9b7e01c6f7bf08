import type { JsonObject } from '../../message';
import { clientToolsOf, type ClientToolSet } from '../client-tools';
import { mustBe, nameAt, objectAt, objectsAt, textAt } from './ag-ui-fields';
import { resumeEntriesOf, type ResumeEntry } from './ag-ui-resume';

/** A message of the client's list, with its place in it. */
export interface SentMessage {
  readonly message: JsonObject;
  /** Names it in refusals. */
  readonly at: string;
}

/** What is read of a `RunAgentInput`. */
export interface AgUiInput {
  readonly threadId: unknown;
  readonly runId: string;
  /** Whether the client names a protocol version, as those of AG-UI 1.0 do. */
  readonly isModern: boolean;
  /** The client's whole list, unread but for the rest of these fields. */
  readonly messages: readonly JsonObject[];
  /** The user's messages behind the last one of the assistant. */
  readonly trailing: readonly SentMessage[];
  /** Whether the list ends with a message of the user. */
  readonly endsWithUser: boolean;
  readonly hasAssistant: boolean;
  /** The last tool message of each call. */
  readonly results: ReadonlyMap<string, SentMessage>;
  readonly resume: readonly ResumeEntry[];
  readonly tools: ClientToolSet;
  readonly environmentContext: readonly string[];
}

const MAX_CONTEXT = 100;

/**
 * Reads a `RunAgentInput`; unknown keys are ignored, and so are `state` and `forwardedProps`.
 *
 * @throws HttpException 400 naming the field
 */
export function agUiInputOf(body: JsonObject): AgUiInput {
  if (!Array.isArray(body['messages'])) throw mustBe('messages', 'an array');
  const messages = objectsAt(body['messages'], 'messages');
  const sent = messages.map((message, index) => ({ message, at: `messages/${index}` }));
  const lastAnswer = messages.findLastIndex(({ role }) => role === 'assistant');
  return {
    threadId: body['threadId'],
    runId: nameAt(body['runId'], 'runId'),
    isModern: typeof body['protocolVersion'] === 'string',
    messages,
    trailing: sent.slice(lastAnswer + 1).filter(({ message }) => message['role'] === 'user'),
    endsWithUser: messages.at(-1)?.['role'] === 'user',
    hasAssistant: lastAnswer >= 0,
    results: resultsOf(sent),
    resume: resumeEntriesOf(body['resume']),
    tools: toolsOf(body['tools']),
    environmentContext: contextOf(body['context']),
  };
}

function resultsOf(sent: readonly SentMessage[]): ReadonlyMap<string, SentMessage> {
  return new Map(
    sent.flatMap((each) => {
      const { role, toolCallId } = each.message;
      return role === 'tool' && typeof toolCallId === 'string' ? [[toolCallId, each]] : [];
    }),
  );
}

function toolsOf(tools: unknown): ClientToolSet {
  return clientToolsOf(
    objectsAt(tools, 'tools').map(({ name, description, parameters }, index) => {
      const schema = objectAt(parameters, `tools/${index}/parameters`);
      return {
        name: nameAt(name, `tools/${index}/name`),
        description,
        ...(schema && { parameters: schema }),
      };
    }),
  );
}

function contextOf(context: unknown): readonly string[] {
  const entries = objectsAt(context, 'context');
  if (entries.length > MAX_CONTEXT) {
    throw mustBe('context', `an array of at most ${MAX_CONTEXT} entries`);
  }
  return entries.map(({ description, value }, index) => {
    const about = textAt(description, `context/${index}/description`) ?? '';
    const text = textAt(value, `context/${index}/value`) ?? '';
    return about === '' ? text : `${about}: ${text}`;
  });
}
