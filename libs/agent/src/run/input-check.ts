import type { ToolDefinition } from '../tool';
import type { ChatInput } from './chat-input';
import { InvalidInputError } from './run-errors';
import type { RunOptions } from './run-options';

/** @throws InvalidInputError where there is no message, or too much of one */
export function checkMessage(input: ChatInput, { messageChars }: RunOptions): void {
  const { message } = input;
  if (typeof message !== 'string' || message.trim() === '') {
    throw new InvalidInputError('"message" has to be a text that is not empty.');
  }
  if (message.length > messageChars) {
    throw new InvalidInputError(
      `"message" has ${message.length} characters; at most ${messageChars} are accepted.`,
    );
  }
}

/**
 * @throws InvalidInputError for a definition that is malformed or too large, for too many of them,
 * for two of one name, and for a name that a tool of the server has
 */
export function checkFrontendTools(
  definitions: readonly ToolDefinition[],
  limits: RunOptions['frontendTools'],
  checkDefinition: (definition: unknown) => readonly string[],
  isTaken: (name: string) => boolean,
): void {
  if (definitions.length === 0) return;
  if (limits === false) throw new InvalidInputError('Frontend tools are switched off here.');
  const { maxCount, maxBytes } = limits;
  if (definitions.length > maxCount) {
    throw new InvalidInputError(
      `"frontendTools" has ${definitions.length} definitions; at most ${maxCount} are accepted.`,
    );
  }
  const names = new Set<string>();
  for (const [index, definition] of definitions.entries()) {
    const where = `frontendTools/${index}`;
    if (Buffer.byteLength(JSON.stringify(definition)) > maxBytes) {
      throw new InvalidInputError(`${where}: a definition has at most ${maxBytes} bytes.`);
    }
    const problems = checkDefinition(definition);
    if (problems.length > 0) {
      throw new InvalidInputError(`${where}: ${problems.join('; ')}`, problems);
    }
    const { name } = definition;
    if (isTaken(name)) {
      throw new InvalidInputError(`${where}: the server has a tool named "${name}" already.`);
    }
    if (names.has(name)) throw new InvalidInputError(`${where}: "${name}" is defined twice.`);
    names.add(name);
  }
}
