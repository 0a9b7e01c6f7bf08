import type { ToolChoice } from '../model';
import type { ToolDefinition } from '../tool';
import type { ChatInput } from './chat-input';
import { InvalidInputError } from './run-errors';
import type { RunOptions } from './run-options';

/** @throws InvalidInputError where there is no message, or too much of one */
export function checkMessage(input: ChatInput, { messageChars }: RunOptions): void {
  const { message, sessionId, replaceRun, messageId } = input;
  if (typeof message !== 'string' || message.trim() === '') {
    throw new InvalidInputError('"message" has to be a text that is not empty.');
  }
  if (message.length > messageChars) {
    throw new InvalidInputError(
      `"message" has ${message.length} characters; at most ${messageChars} are accepted.`,
    );
  }
  if (replaceRun !== undefined && sessionId === undefined) {
    throw unusable('replaceRun', '"replaceRun" needs the "sessionId" of the run.');
  }
  if (messageId !== undefined && (messageId === '' || messageId.length > MESSAGE_ID_CHARS)) {
    throw unusable('messageId', `"messageId" has to have 1 to ${MESSAGE_ID_CHARS} characters.`);
  }
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
