import { isJsonObject, type JsonObject } from '../../message';
import { InvalidArgumentsError } from '../../tool';
import { guardInput } from './guard-input';

/**
 * A model's arguments as an object. Empty text means `{}`.
 *
 * @throws InvalidArgumentsError if they are no JSON object, or exceed the bounds of `guardInput`
 */
export function parseArguments(input: JsonObject | string | undefined): JsonObject {
  const value = typeof input === 'string' ? parse(input) : (input ?? {});
  if (!isJsonObject(value))
    throw new InvalidArgumentsError([{ path: '', message: 'must be a JSON object' }]);
  const issues = guardInput(value);
  if (issues.length > 0) throw new InvalidArgumentsError(issues);
  return value;
}

function parse(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InvalidArgumentsError([{ path: '', message: 'are not valid JSON' }]);
  }
}
