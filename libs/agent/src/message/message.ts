import type { ContentBlock, ResultContent, ToolUseBlock } from './content-block';

export type Role = 'system' | 'user' | 'assistant';

/** One message of a conversation. Tool results stand in a `user` message. */
export interface Message {
  readonly role: Role;
  readonly content: readonly ContentBlock[];
  /** Set where a cancel or a failure cut the message off. */
  readonly partial?: true;
}

/** A message of one text block. */
export function textMessage(role: Role, text: string): Message {
  return { role, content: [{ type: 'text', text }] };
}

/** The text of a message, its text blocks joined. */
export function textOf(message: Pick<Message, 'content'>): string {
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/** The calls a message asks for, in order. */
export function toolUsesOf(message: Pick<Message, 'content'>): readonly ToolUseBlock[] {
  return message.content.filter((block) => block.type === 'tool_use');
}

/** A tool result as plain text; what is no text is named by its kind. */
export function resultText(content: ResultContent): string {
  if (typeof content === 'string') return content;
  return content
    .map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
    .join('\n');
}
