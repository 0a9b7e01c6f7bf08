import type { ResultContent } from '../../message';

/** The content of a prompt's message: text, or blocks of text, pictures and files. */
export type McpPromptContent = ResultContent | Exclude<ResultContent, string>[number];

/** A message of a prompt. Several blocks are sent as as many messages of the role. */
export interface McpPromptMessage {
  /** The role in whose name the message is. */
  readonly role: 'user' | 'assistant';
  /** A text, a block, or blocks. */
  readonly content: McpPromptContent;
}

/** What a method with `@McpPrompt` returns: a text, which is one message of the user, or messages. */
export type McpPromptResult = string | readonly McpPromptMessage[];
