import { isJsonObject, type JsonObject } from '../../message';
import { invalidRequest, mustBe, textAt, objectAt, objectsAt, stringAt } from '../body';
import { type ClientToolSet, clientToolsOf, type SentTool } from '../client-tools';
import {
  answerOf,
  filesOf,
  questionOf,
  type SentAnswer,
  type SentQuestion,
  sessionNamedBy,
} from './sent-parts';

/** The parts of a request that are used; its other data is not trusted. */
export interface AiSdkRequest {
  /** The client's id of the chat, not checked yet. */
  readonly chatId: unknown;
  /** The user's messages at the end of the list, or the assistant's message that is continued. */
  readonly turn:
    | { readonly type: 'questions'; readonly questions: readonly SentQuestion[] }
    | { readonly type: 'answer'; readonly answer: SentAnswer };
  /** Set where the client asks for another answer; the message that it names, if any. */
  readonly again?: { readonly messageId?: string };
  /** Whether the list has an answer, so that there must be a session. */
  readonly hasAnswer: boolean;
  /** The session that the last answer of the list names. */
  readonly namedSession?: string;
  readonly tools: ClientToolSet;
  readonly environmentContext: readonly string[];
  /** All attachments of the list. */
  readonly files: ReturnType<typeof filesOf>;
}

interface PlacedMessage {
  readonly message: JsonObject;
  /** Its place in the body, for error messages. */
  readonly at: string;
}

const MAX_CONTEXT = 100;
const MAX_CONTEXT_CHARS = 100_000;
/** Each is looked up in the session. */
const MAX_QUESTIONS = 100;

/**
 * Reads the body that `useChat` sends. Unknown keys and parts are ignored.
 *
 * @throws HttpException 400 naming the field that is wrong
 */
export function aiSdkRequestOf(body: JsonObject): AiSdkRequest {
  const messages = messagesOf(body);
  const messageId = textAt(body['messageId'], 'messageId');
  const isRegeneration = triggerOf(body) === 'regenerate-message';
  const answers = messages.filter(({ message }) => message['role'] === 'assistant');
  const continued = isRegeneration ? undefined : continuedOf(messages, messageId);
  const last = answers.at(-1);
  const namedSession = last && sessionNamedBy(last.message);
  const isAgain = isRegeneration || (messageId !== undefined && continued === undefined);
  return {
    chatId: body['id'],
    turn: continued
      ? { type: 'answer', answer: answerOf(continued.message, continued.at) }
      : { type: 'questions', questions: questionsOf(messages) },
    ...(isAgain && { again: { ...(messageId !== undefined && { messageId }) } }),
    hasAnswer: answers.length > 0,
    ...(namedSession !== undefined && { namedSession }),
    tools: sentToolsOf(body),
    environmentContext: contextOf(body),
    files: filesOf(messages.map(({ message }) => message)),
  };
}

function messagesOf({ messages, message }: JsonObject): readonly PlacedMessage[] {
  const isOne = messages === undefined && message !== undefined;
  const list: unknown = isOne ? [message] : messages;
  if (!Array.isArray(list) || list.length === 0) {
    throw mustBe('messages', 'an array with at least one message');
  }
  return list.map((each: unknown, index) => {
    const at = isOne ? 'message' : `messages/${index}`;
    if (!isJsonObject(each)) throw mustBe(at, 'an object');
    return { message: each, at };
  });
}

/** The assistant's message that the request continues: the one it names, or the last of all. */
function continuedOf(
  messages: readonly PlacedMessage[],
  messageId: string | undefined,
): PlacedMessage | undefined {
  const named = messages.findLast(({ message }) => message['id'] === messageId);
  const continued = messageId === undefined ? messages.at(-1) : (named ?? messages.at(-1));
  return continued?.message['role'] === 'assistant' ? continued : undefined;
}

/** The user's messages after the last answer, the newest of them. */
function questionsOf(messages: readonly PlacedMessage[]): readonly SentQuestion[] {
  const before = messages.findLastIndex(({ message }) => message['role'] !== 'user');
  const questions = messages.slice(before + 1).slice(-MAX_QUESTIONS);
  if (questions.length === 0) {
    const { at } = messages.at(-1) as PlacedMessage;
    throw mustBe(`${at}/role`, '"user" to ask for an answer');
  }
  return questions.map(({ message, at }) => questionOf(message, at));
}

function triggerOf({ trigger }: JsonObject): 'submit-message' | 'regenerate-message' {
  if (trigger === undefined || trigger === null) return 'submit-message';
  if (trigger === 'submit-message' || trigger === 'regenerate-message') return trigger;
  throw mustBe('trigger', '"submit-message" or "regenerate-message"');
}

/** `context`, and the `system` text of assistant-ui: the page's words, no instructions. */
function contextOf(body: JsonObject): readonly string[] {
  const system = textAt(body['system'], 'system');
  const context: unknown = body['context'] ?? [];
  const texts: readonly unknown[] = Array.isArray(context) ? context : [context];
  if (texts.length > MAX_CONTEXT || !texts.every((text) => typeof text === 'string')) {
    throw mustBe('context', `a string or an array of up to ${MAX_CONTEXT} strings`);
  }
  const facts = [
    ...(system === undefined || system === '' ? [] : [system]),
    ...(texts as string[]),
  ];
  if (facts.reduce((sum, { length }) => sum + length, 0) <= MAX_CONTEXT_CHARS) return facts;
  throw invalidRequest([`context must have at most ${MAX_CONTEXT_CHARS} characters.`]);
}

/**
 * The tools that the page defines: `frontendTools` as in `POST /chat`, `tools` by their names as
 * assistant-ui sends them.
 *
 * @throws HttpException 400 naming the tool that cannot be read
 */
function sentToolsOf({ frontendTools, tools }: JsonObject): ClientToolSet {
  return clientToolsOf([...listed(frontendTools), ...named(tools)]);
}

function listed(tools: unknown): readonly SentTool[] {
  return objectsAt(tools, 'frontendTools').map((definition, index) => {
    const at = `frontendTools/${index}`;
    return toolOf(stringAt(definition['name'], `${at}/name`), definition, 'input_schema', at);
  });
}

function named(tools: unknown): readonly SentTool[] {
  return Object.entries(objectAt(tools, 'tools') ?? {}).map(([name, tool]) => {
    const at = `tools/${name}`;
    if (!isJsonObject(tool)) throw mustBe(at, 'an object');
    return toolOf(name, tool, 'parameters', at);
  });
}

function toolOf(
  name: string,
  { description, ...definition }: JsonObject,
  key: 'input_schema' | 'parameters',
  at: string,
): SentTool {
  if (name === '') throw invalidRequest([`${at}: a tool must have a name.`]);
  const parameters = objectAt(definition[key], `${at}/${key}`);
  return { name, description, ...(parameters && { parameters }) };
}
