import {
  isJsonObject,
  jsonObjectIn,
  type ContentBlock,
  type JsonObject,
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../../message';
import { toToolName } from '../../tool';
import type { UserContent } from '../../run';
import type { AgentHttpOptions } from '../options';
import { checkedBlocks, contentOf, textContentOf } from './openai-content';
import { OpenAiRequestError } from './openai-error';
import { invalid, listIn, type RawBody, unsupported, wrong } from './openai-fields';

/** Limits of a client's conversation. */
export type ConversationLimits = Pick<
  AgentHttpOptions['limits'],
  'historyMessages' | 'attachments'
>;

/**
 * A client's history in the library's format. It must be valid for OpenAI: the tool messages
 * directly after an assistant's message answer all its calls.
 *
 * @throws OpenAiRequestError naming the message
 */
export function messagesOf(
  { messages: raw }: RawBody,
  { historyMessages: limit, attachments }: ConversationLimits,
): readonly Message[] {
  const expected = 'an array with at least one message';
  const messages = listIn(raw, limit, { field: 'messages', noun: 'message', expected });
  const history = new ChatHistory(attachments);
  messages.forEach((message, index) => history.add(message, `messages[${index}]`));
  return history.done();
}

/** The content blocks of all messages, including results. */
export function blocksIn(messages: readonly Message[]): readonly ContentBlock[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block): readonly ContentBlock[] =>
      block.type === 'tool_result' && typeof block.content !== 'string' ? block.content : [block],
    ),
  );
}

class ChatHistory {
  private readonly messages: Message[] = [];
  /** Calls of the last assistant's message without an answer so far. */
  private readonly open = new Set<string>();
  private results: ToolResultBlock[] = [];

  constructor(private readonly attachments: ConversationLimits['attachments']) {}

  add(message: unknown, at: string): void {
    if (!isJsonObject(message)) throw wrong(at, 'an object');
    const { role } = message;
    if (role === 'tool') {
      this.addResult(message, at);
      return;
    }
    this.closeResults(at);
    switch (role) {
      case 'system':
      case 'developer':
        this.messages.push({
          role: 'system',
          content: textContentOf(message['content'], `${at}.content`),
        });
        return;
      case 'user':
        this.messages.push({ role, content: this.contentOf(message['content'], at) });
        return;
      case 'assistant':
        this.addAssistant(message, at);
        return;
      default:
        throw invalid(
          `${at}.role`,
          "supported values are 'system', 'developer', 'user', 'assistant' and 'tool'",
        );
    }
  }

  done(): readonly Message[] {
    this.closeResults('messages');
    return this.messages;
  }

  private addAssistant(message: JsonObject, at: string): void {
    for (const field of ['function_call', 'audio']) {
      if ((message[field] ?? null) === null) continue;
      throw unsupported('value', `${at}.${field}`, 'is not supported');
    }
    const content = message['content'] ?? '';
    const calls = message['tool_calls'] ?? [];
    if (!Array.isArray(calls)) throw wrong(`${at}.tool_calls`, 'an array');
    const uses = calls.map((call: unknown, index) =>
      this.callOf(call, `${at}.tool_calls[${index}]`),
    );
    for (const { id } of uses) this.open.add(id);
    if (this.open.size < uses.length)
      throw wrong(`${at}.tool_calls`, 'calls with ids of their own');
    const blocks: ContentBlock[] = [...textContentOf(content, `${at}.content`), ...uses];
    this.messages.push({ role: 'assistant', content: blocks });
  }

  private callOf(call: unknown, at: string): ToolUseBlock {
    const details = isJsonObject(call) ? call['function'] : undefined;
    if (!isJsonObject(call) || typeof call['id'] !== 'string' || !isJsonObject(details)) {
      throw wrong(at, 'a function call with an id');
    }
    const { name, arguments: text } = details;
    if (typeof name !== 'string' || typeof text !== 'string') {
      throw wrong(`${at}.function`, 'a name and arguments, both strings');
    }
    return toolUseOf(call['id'], name, text);
  }

  private addResult(message: JsonObject, at: string): void {
    const id = message['tool_call_id'];
    if (typeof id !== 'string' || !this.open.delete(id)) {
      throw new OpenAiRequestError(
        `Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls' (${at}).`,
        `${at}.tool_call_id`,
      );
    }
    const content = this.contentOf(message['content'] ?? '', at);
    this.results.push({ type: 'tool_result', tool_use_id: id, content, is_error: false });
  }

  /** The content blocks; attachments follow the same rules as in a message of `/chat`. */
  private contentOf(content: unknown, at: string): readonly UserContent[] {
    const name = `${at}.content`;
    return checkedBlocks(contentOf(content, name), name, this.attachments);
  }

  private closeResults(at: string): void {
    if (this.open.size > 0) {
      const missing = [...this.open].join(', ');
      throw new OpenAiRequestError(
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following have no response: ${missing}.`,
        at,
      );
    }
    if (this.results.length === 0) return;
    this.messages.push({ role: 'user', content: this.results });
    this.results = [];
  }
}

/** A call of a client's history. @param text its arguments */
export function toolUseOf(id: string, name: string, text: string): ToolUseBlock {
  const input = jsonObjectIn(text === '' ? '{}' : text);
  const use = { type: 'tool_use', id, name: toToolName(name), input: input ?? {} } as const;
  return input ? use : { ...use, malformedInput: text };
}
