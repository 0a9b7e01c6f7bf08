import { isJsonObject, type JsonObject } from '../../message';
import { mustBe, nameAt, objectAt, objectsAt, textAt } from '../body';
import { clientToolsOf, type ClientToolSet } from '../client-tools';
import { resumeEntriesOf, type ResumeEntry } from './ag-ui-resume';

/** A message of the client's list, with its place in it. */
export interface SentMessage {
  readonly message: JsonObject;
  /** Names it in refusals. */
  readonly at: string;
}

/** The fields that are read of a `RunAgentInput`. */
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
  /** The ids of calls that the list has no tool message of. */
  readonly unanswered: readonly string[];
  readonly resume: readonly ResumeEntry[];
  readonly tools: ClientToolSet;
  readonly environmentContext: readonly string[];
}

/** Far above the number of tools that pages have; the module's own limit is checked later. */
const MAX_TOOLS = 1_000;
const MAX_CONTEXT = 100;
/** It is stored with the run, and sent with every request to the model. */
const MAX_CONTEXT_CHARS = 100_000;

/**
 * Reads a `RunAgentInput`; unknown keys are ignored, and so are `state` and `forwardedProps`.
 *
 * @throws HttpException 400 naming the field
 */
export function agUiInputOf(body: JsonObject): AgUiInput {
  if (!Array.isArray(body['messages'])) throw mustBe('messages', 'an array');
  const messages = objectsAt(body['messages'], 'messages');
  const results = resultsOf(messages);
  const lastAnswer = messages.findLastIndex(({ role }) => role === 'assistant');
  return {
    threadId: body['threadId'],
    runId: nameAt(body['runId'], 'runId'),
    isModern: typeof body['protocolVersion'] === 'string',
    messages,
    trailing: sentAs('user', messages, lastAnswer + 1),
    endsWithUser: messages.at(-1)?.['role'] === 'user',
    hasAssistant: lastAnswer >= 0,
    results,
    unanswered: callsIn(messages).filter((id) => !results.has(id)),
    resume: resumeEntriesOf(body['resume']),
    tools: toolsOf(body['tools']),
    environmentContext: contextOf(body['context']),
  };
}

/** The messages of a role, from a place in the list on. */
function sentAs(
  role: 'user' | 'tool',
  messages: readonly JsonObject[],
  from = 0,
): readonly SentMessage[] {
  return messages.flatMap((message, index) =>
    index >= from && message['role'] === role ? [{ message, at: `messages/${index}` }] : [],
  );
}

function resultsOf(messages: readonly JsonObject[]): ReadonlyMap<string, SentMessage> {
  return new Map(
    sentAs('tool', messages).flatMap((each) => {
      const { toolCallId } = each.message;
      return typeof toolCallId === 'string' ? [[toolCallId, each]] : [];
    }),
  );
}

/** The ids of all calls in the list. */
function callsIn(messages: readonly JsonObject[]): readonly string[] {
  const lists: readonly unknown[] = messages.map(({ toolCalls }) => toolCalls);
  const calls = lists.flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : []));
  return calls.flatMap((call) => {
    const id = isJsonObject(call) ? call['id'] : undefined;
    return typeof id === 'string' ? [id] : [];
  });
}

function toolsOf(tools: unknown): ClientToolSet {
  return clientToolsOf(
    objectsAt(tools, 'tools', MAX_TOOLS).map(({ name, description, parameters }, index) => {
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
  const facts = objectsAt(context, 'context', MAX_CONTEXT).map(({ description, value }, index) => {
    const about = textAt(description, `context/${index}/description`) ?? '';
    const text = textAt(value, `context/${index}/value`) ?? '';
    return about === '' ? text : `${about}: ${text}`;
  });
  const chars = facts.reduce((sum, { length }) => sum + length, 0);
  if (chars <= MAX_CONTEXT_CHARS) return facts;
  throw mustBe('context', `an array with at most ${MAX_CONTEXT_CHARS} characters`);
}
