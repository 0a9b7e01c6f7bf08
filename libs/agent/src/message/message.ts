import type { ContentBlock, ResultContent, ToolUseBlock } from './content-block';

/** Who says a message. Tool results are said by the `user`. */
export type Role = 'system' | 'user' | 'assistant';

/** One message of a conversation. Tool results stand in a `user` message. */
export interface Message {
  /** Who says it. */
  readonly role: Role;
  /** Its parts, in the order they were said. */
  readonly content: readonly ContentBlock[];
  /** Set where a cancel or a failure cut the message off. */
  readonly partial?: true;
}

/**
 * A message of one text block.
 *
 * @param role who says it
 * @param text what is said
 * @example
 * const question = textMessage('user', 'Which orders are late?');
 */
export function textMessage(role: Role, text: string): Message {
  return { role, content: [{ type: 'text', text }] };
}

/**
 * The text of a message: its text blocks, joined without a break; empty where it has none.
 *
 * @param message one of any role
 * @example
 * const text = textOf(textMessage('user', 'hello')); // 'hello'
 */
export function textOf(message: Pick<Message, 'content'>): string {
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/**
 * What a message says, with texts that only their provider parted as one, and without those that hold
 * nothing but its data.
 *
 * @param content a model's
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
 * The calls that a message asks for, in order.
 *
 * @param message only an assistant's has any
 * @example
 * const namesOf = (message: Message) => toolUsesOf(message).map(({ name }) => name);
 */
export function toolUsesOf(message: Pick<Message, 'content'>): readonly ToolUseBlock[] {
  return message.content.filter((block) => block.type === 'tool_use');
}

/**
 * A tool result as plain text, a line for each block; what is no text is named by its kind.
 *
 * @param content that of a `tool_result` block, or of a `ToolResponse`
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
