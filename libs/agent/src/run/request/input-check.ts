import type { Message } from '../../message';
import type { ToolChoice } from '../../model';
import { checkedContent } from './attachments';
import type { ChatInput } from './chat-input';
import { InvalidInputError } from './run-errors';
import type { RunOptions } from './run-options';

/**
 * What the user says, as it is kept.
 *
 * @throws InvalidInputError where that is nothing, too much, or nothing that is accepted
 */
export function checkedMessage(input: ChatInput, options: RunOptions): Message {
  const { message, content = [] } = input;
  const said = typeof message === 'string' && message.trim() !== '';
  if (!said && (message !== undefined || content.length === 0)) {
    throw new InvalidInputError('"message" has to be a text that is not empty.');
  }
  const texts = content.filter((block) => block.type === 'text');
  const blank = texts.findIndex(({ text }) => text.trim() === '');
  if (blank >= 0) throw unusable('content', 'A text in "content" has to be not empty.');
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
    throw unusable('replaceRun', '"replaceRun" needs the "sessionId" of the run.');
  }
  if (messageId !== undefined && (messageId === '' || messageId.length > MESSAGE_ID_CHARS)) {
    throw unusable('messageId', `"messageId" has to have 1 to ${MESSAGE_ID_CHARS} characters.`);
  }
  checkModelOptions(input, options.modelOptions);
}

/** @throws InvalidInputError for an option that callers may not choose */
function checkModelOptions({ modelOptions = {} }: ChatInput, allowed: readonly string[]): void {
  const name = Object.keys(modelOptions).find((each) => !allowed.includes(each));
  if (name === undefined) return;
  throw unusable(
    'modelOptions',
    `"modelOptions" may not have "${name}": limits.modelOptions allows ${allowed.join(', ') || 'none'}.`,
  );
}

const MESSAGE_ID_CHARS = 100;

/** @throws InvalidInputError where the tool that the model must use is none that it may use */
export async function checkToolChoice(
  choice: ToolChoice | undefined,
  isOffered: (name: string) => Promise<boolean>,
): Promise<void> {
  if (typeof choice !== 'object' || (await isOffered(choice.name))) return;
  throw unusable('toolChoice', '"toolChoice" names no tool that is on offer.');
}

function unusable(field: string, message: string, problems?: readonly string[]): InvalidInputError {
  return new InvalidInputError(message, problems, undefined, field);
}
