import type { JsonObject } from '../../message';
import { hasSensitive, masked, unmasked, MASK } from '../../schema';
import type { Tool } from '../../tool';

/**
 * A call's arguments for events, approvals, transcripts and records. A client's own tool gets its
 * arguments unmasked.
 *
 * @param before the arguments as shown when the call was made, for a removed tool
 */
export function shownInput(
  tool: Tool | undefined,
  input: JsonObject,
  before: JsonObject = input,
): JsonObject {
  if (tool === undefined) return before;
  return hidesArguments(tool) ? masked(input, tool.definition.input_schema) : input;
}

/**
 * Edited arguments, with stored values in place of returned masks.
 *
 * @throws InvalidArgumentsError for a mask without a stored value
 */
export function storedInput(
  tool: Tool | undefined,
  edited: JsonObject,
  stored: JsonObject,
): JsonObject {
  return tool && hidesArguments(tool)
    ? unmasked(edited, stored, tool.definition.input_schema)
    : edited;
}

/** Whether a tool has hidden arguments. */
export function hidesArguments({ definition, origin }: Tool): boolean {
  return origin !== 'client' && hasSensitive(definition.input_schema);
}

/** Names that are always redacted. */
const ALWAYS = ['authorization', 'cookie', 'password', 'secret', 'token', 'apikey', 'api_key'];

/** A copy of arguments with redacted values; names match regardless of case. */
export function redacted(input: JsonObject, names: readonly string[] = []): JsonObject {
  const hidden = new Set([...ALWAYS, ...names].map((name) => name.toLowerCase()));
  const shown = (name: string, value: unknown): unknown =>
    hidden.has(name.toLowerCase()) ? MASK : value;
  return JSON.parse(JSON.stringify(input, shown)) as JsonObject;
}
