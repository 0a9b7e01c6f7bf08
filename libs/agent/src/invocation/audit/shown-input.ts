import type { JsonObject } from '../../message';
import { hasSensitive, masked, unmasked } from '../../schema';
import type { Tool } from '../../tool';

/**
 * A call's arguments as they leave the process: in events, approvals, transcripts and records. A
 * client's own tool is handed its arguments as they are.
 */
export function shownInput(tool: Tool | undefined, input: JsonObject): JsonObject {
  return tool && hidesArguments(tool) ? masked(input, tool.definition.input_schema) : input;
}

/**
 * Arguments that were edited, with the stored values where masks came back.
 *
 * @throws InvalidArgumentsError where a mask stands for nothing that is stored
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

/** Whether some of a tool's arguments are shown to nobody. */
export function hidesArguments({ definition, origin }: Tool): boolean {
  return origin !== 'client' && hasSensitive(definition.input_schema);
}
