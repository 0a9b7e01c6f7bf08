import { jsonIn } from '../../internal';
import { isJsonObject, jsonObjectIn, type JsonObject } from '../../message';
import { lenientJsonIn } from './json-repair';

/** A call's arguments as read from text: the two fields of a `tool_use` event. */
export interface ReadArguments {
  readonly input: JsonObject;
  readonly malformedInput?: string;
}

/** Bedrock and vLLM may send empty arguments before the real ones. */
const EMPTY_BEFORE = /^\{\}(?=\{)/;

/**
 * Reads a model's arguments. An empty text means `{}`. Almost-JSON is repaired if only one reading
 * is possible; everything else is kept as `malformedInput`.
 *
 * @param isCut whether the answer was cut off, so that nothing incomplete may count as complete
 */
export function readArguments(text: string, isCut = false): ReadArguments {
  const trimmed = text.trim();
  if (isCut) {
    const input = jsonObjectIn(trimmed);
    return input ? { input } : malformed(text === '' ? '…' : text);
  }
  if (trimmed === '' || trimmed === 'null') return { input: {} };
  const value = unwrap(lenientJsonIn(trimmed.replace(EMPTY_BEFORE, '')));
  return isJsonObject(value) ? { input: value } : malformed(text);
}

/** Some servers encode the arguments twice: a JSON string that contains the JSON object. */
function unwrap(value: unknown): unknown {
  return typeof value === 'string' && value.trimStart().startsWith('{') ? jsonIn(value) : value;
}

function malformed(text: string): ReadArguments {
  return { input: {}, malformedInput: text };
}
