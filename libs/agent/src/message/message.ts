import type { ContentBlock, ResultContent, ToolUseBlock } from './content-block';

/** The author of a message. Tool results have the role `user`. */
export type Role = 'system' | 'user' | 'assistant';

/** One message of a conversation. Tool results are part of a `user` message. */
export interface Message {
  /** The author. */
  readonly role: Role;
  /** Its parts, in order. */
  readonly content: readonly ContentBlock[];
  /** Set if a cancel or a failure cut the message off. */
  readonly partial?: true;
}

/**
 * A message of one text block.
 *
 * @param role the author
 * @param text the content
 * @example
 * const question = textMessage('user', 'Which orders are late?');
 */
export function textMessage(role: Role, text: string): Message {
  return { role, content: [{ type: 'text', text }] };
}

/**
 * The text of a message: its text blocks, joined without a separator; empty if it has none.
 *
 * @param message a message of any role
 * @example
 * const text = textOf(textMessage('user', 'hello')); // 'hello'
 */
export function textOf(message: Pick<Message, 'content'>): string {
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/**
 * The content of a message for readers: joins texts that only the provider split, and drops texts
 * that hold only provider data.
 *
 * @param content content from a model
 * @internal
 */
export function joinedTexts(content: readonly ContentBlock[]): readonly ContentBlock[] {
  const joined: ContentBlock[] = [];
  for (const block of content) {
    const last = joined.at(-1);
    if (block.type !== 'text') joined.push(block);
    else if (last?.type === 'text') joined.splice(-1, 1, textBlock(last.text + block.text));
    else if (block.text !== '') joined.push(textBlock(block.text));
  }
  return joined;
}

function textBlock(text: string): ContentBlock {
  return { type: 'text', text };
}

/**
 * The calls that a message requests, in order.
 *
 * @param message only an assistant's message has calls
 * @example
 * const namesOf = (message: Message) => toolUsesOf(message).map(({ name }) => name);
 */
export function toolUsesOf(message: Pick<Message, 'content'>): readonly ToolUseBlock[] {
  return message.content.filter((block) => block.type === 'tool_use');
}

/**
 * A tool result as plain text, one line per block; other blocks are replaced by their kind.
 *
 * @param content the content of a `tool_result` block or of a `ToolResponse`
 * @example
 * const chart = { type: 'image', url: 'https://example.com/a.png' } as const;
 * resultText([{ type: 'text', text: 'Sales' }, chart]); // 'Sales\n[image]'
 */
export function resultText(content: ResultContent): string {
  if (typeof content === 'string') return content;
  return content
    .map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
    .join('\n');
}
