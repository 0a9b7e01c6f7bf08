import { capitalised } from '../../internal';
import type { OfferedTool } from '../../run';
import type { JsonSchema, ToolDefinition } from '../../tool';
import { publishedInput, publishedOutput } from './published-schema';

export type ToolEntry = ReturnType<typeof entryOf>;

/** A tool in a list. @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools */
export function entryOf(tool: OfferedTool) {
  const { definition, traits } = tool;
  const { name, description, input_schema } = definition;
  const title = titleOf(definition);
  const outputSchema = outputOf(tool);
  return {
    name,
    title,
    description,
    inputSchema: publishedInput(input_schema),
    ...(outputSchema && { outputSchema: publishedOutput(outputSchema) }),
    annotations: {
      title,
      readOnlyHint: traits.readOnly,
      destructiveHint: traits.destructive || traits.overwrites === true,
      idempotentHint: traits.idempotent,
      openWorldHint: traits.openWorld,
    },
  };
}

/**
 * The published schema of results. Hosts refuse a schema that is not a plain object at its root,
 * and results that differ from it. A schema from documentation or a return type is published in a
 * form that describes its properties and demands nothing.
 */
function outputOf({
  definition: { output_schema },
  isOutputDerived,
}: Pick<OfferedTool, 'definition' | 'isOutputDerived'>): JsonSchema | undefined {
  if (output_schema === undefined || output_schema.type !== 'object') return undefined;
  if (COMPOSED.some((key) => Object.hasOwn(output_schema, key))) return undefined;
  return isOutputDerived === true ? loosened(output_schema) : output_schema;
}

const COMPOSED = ['anyOf', 'oneOf', 'allOf'];

function loosened({ properties = {}, $defs, description }: JsonSchema): JsonSchema {
  const described = Object.entries(properties).map(([name, schema]) => [
    name,
    { anyOf: [schema, {}] },
  ]);
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties: Object.fromEntries(described) as Record<string, JsonSchema>,
    ...($defs && { $defs }),
  };
}

/** The declared title, or the name in words: `Find open orders` of `find_open_orders`. */
export function titleOf({ name, title }: ToolDefinition): string {
  if (title !== undefined) return title;
  const words = name.replaceAll('_', ' ').trim();
  return words === '' ? name : capitalised(words);
}
