import type { Message } from '../../message';
import type { ToolChoice } from '../../model';
import type { ToolDefinition } from '../../tool';
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

/** Which field of the input a client's tools came in. */
export type ClientToolsField = 'frontendTools' | 'clientTools';

/**
 * @throws InvalidInputError for a definition that is malformed or too large, for too many of them,
 * for two of one name, and for a name that a tool of the server has
 */
export function checkClientTools(
  definitions: readonly ToolDefinition[],
  limits: RunOptions['frontendTools'],
  checkDefinition: (definition: unknown) => readonly string[],
  isTaken: (name: string) => boolean,
  field: ClientToolsField,
): void {
  if (definitions.length === 0) return;
  if (limits === false) {
    const whose = field === 'frontendTools' ? 'Frontend tools' : 'Tools of the client';
    throw unusable(field, `${whose} are switched off here.`);
  }
  const { maxCount, maxBytes } = limits;
  if (definitions.length > maxCount) {
    throw unusable(
      field,
      `"${field}" has ${definitions.length} definitions; at most ${maxCount} are accepted.`,
    );
  }
  const names = new Set<string>();
  for (const [index, definition] of definitions.entries()) {
    const where = `${field}/${index}`;
    if (Buffer.byteLength(JSON.stringify(definition)) > maxBytes) {
      throw unusable(where, `${where}: a definition has at most ${maxBytes} bytes.`);
    }
    const problems = checkDefinition(definition);
    if (problems.length > 0) throw unusable(where, `${where}: ${problems.join('; ')}`, problems);
    const { name } = definition;
    if (isTaken(name)) {
      throw unusable(where, `${where}: the server has a tool named "${name}" already.`);
    }
    if (names.has(name)) throw unusable(where, `${where}: "${name}" is defined twice.`);
    names.add(name);
  }
}

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
