import type { Message } from '../../message';
import { checkedContent } from './attachments';
import type { ChatInput } from './chat-input';
import { invalidField, InvalidInputError } from './run-errors';
import type { RunOptions } from './run-options';

/**
 * Builds the user's message for the journal.
 *
 * @throws InvalidInputError if the input is empty, too long, or has refused attachments
 */
export function checkedMessage(input: ChatInput, options: RunOptions): Message {
  const { message, content = [] } = input;
  const said = typeof message === 'string' && message.trim() !== '';
  if (!said && (message !== undefined || content.length === 0)) {
    throw new InvalidInputError('"message" must be a non-empty string.');
  }
  const texts = content.filter((block) => block.type === 'text');
  const blank = texts.findIndex(({ text }) => text.trim() === '');
  if (blank >= 0) throw invalidField('content', 'A text in "content" must be a non-empty string.');
  const chars = texts.reduce((sum, { text }) => sum + text.length, message?.length ?? 0);
  if (chars > options.messageChars) {
    throw new InvalidInputError(
      `"message" has ${chars} characters; at most ${options.messageChars} are accepted.`,
    );
  }
  const blocks = checkedContent(content, options.attachments);
  return { role: 'user', content: said ? [{ type: 'text', text: message }, ...blocks] : blocks };
}

/** @throws InvalidInputError */
export function checkInput(input: ChatInput, options: RunOptions): void {
  const { sessionId, replaceRun, messageId } = input;
  if (replaceRun !== undefined && sessionId === undefined) {
    throw invalidField('replaceRun', '"replaceRun" needs the "sessionId" of the run.');
  }
  if (messageId !== undefined && (messageId === '' || messageId.length > MESSAGE_ID_CHARS)) {
    throw invalidField('messageId', `"messageId" must have 1 to ${MESSAGE_ID_CHARS} characters.`);
  }
  checkModelOptions(input, options.modelOptions);
}

function checkModelOptions({ modelOptions = {} }: ChatInput, allowed: readonly string[]): void {
  const name = Object.keys(modelOptions).find((each) => !allowed.includes(each));
  if (name === undefined) return;
  throw invalidField(
    'modelOptions',
    `"modelOptions" may not have "${name}": limits.modelOptions allows ${allowed.join(', ') || 'none'}.`,
  );
}

const MESSAGE_ID_CHARS = 100;
