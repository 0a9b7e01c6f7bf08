import type { JsonObject } from '../../message';
import { hasSensitive, masked, unmasked } from '../../schema';
import type { Tool } from '../../tool';

/**
 * A call's arguments for events, approvals, transcripts and records. A client's own tool gets its
 * arguments unmasked.
 */
export function shownInput(tool: Tool | undefined, input: JsonObject): JsonObject {
  return tool && hidesArguments(tool) ? masked(input, tool.definition.input_schema) : input;
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
