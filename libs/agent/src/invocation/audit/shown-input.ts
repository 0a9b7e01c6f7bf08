import type { JsonObject } from '../../message';
import { hasSensitive, masked, unmasked } from '../../schema';
import type { Tool } from '../../tool';

/**
 * A call's arguments as they leave the process: in events, approvals, transcripts and records. What
 * the caller carries out itself is handed over as it is.
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
export function hidesArguments({ definition, isAnsweredByCaller }: Tool): boolean {
  return isAnsweredByCaller !== true && hasSensitive(definition.input_schema);
}
