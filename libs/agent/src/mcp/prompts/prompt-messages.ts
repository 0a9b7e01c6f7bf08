import { resultContentOf } from '../../invocation';
import { type McpContent, mcpContentOf } from '../protocol';
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

/** A message as the protocol sends it. */
export interface McpSentMessage {
  readonly role: McpPromptMessage['role'];
  readonly content: McpContent;
}

/** A prompt's result as messages; `undefined` if it is something else. */
export function messagesOf(result: unknown): readonly McpSentMessage[] | undefined {
  if (typeof result === 'string') return sent({ role: 'user', content: result });
  if (!Array.isArray(result) || result.length === 0) return undefined;
  const messages = result.map((message: unknown) => sent(message));
  return messages.includes(undefined) ? undefined : messages.flatMap((several) => several ?? []);
}

/** Checked at run time, since the application's method may not be typed. */
function sent(message: unknown): readonly McpSentMessage[] | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { role, content } = message as Partial<McpPromptMessage>;
  if (role !== 'user' && role !== 'assistant') return undefined;
  const known = typeof content === 'string' ? content : resultContentOf(content).content;
  if (typeof known === 'string' && typeof content !== 'string') return undefined;
  return mcpContentOf(known).map((block) => ({ role, content: block }));
}
