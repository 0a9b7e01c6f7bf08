import type { ResultContent } from '../../message';

/** The content of a prompt's message: text, or blocks of text, pictures and files. */
export type McpPromptContent = ResultContent | Exclude<ResultContent, string>[number];

/** A message of a prompt. Each of several blocks is sent as a message of its own. */
export interface McpPromptMessage {
  /** The role of the message. */
  readonly role: 'user' | 'assistant';
  /** A text, a block, or blocks. */
  readonly content: McpPromptContent;
}

/** The result of a method with `@McpPrompt`: a text, sent as one user message, or messages. */
export type McpPromptResult = string | readonly McpPromptMessage[];
