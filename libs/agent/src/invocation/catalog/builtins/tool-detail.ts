import { ToolError, type Tool } from '../../../tool';
import type { ToolCatalog } from '../tool.catalog';
import { ALLOWED_READER, builtinTool } from './builtin-tool';

export const TOOL_DETAIL = 'tool_detail';

/** Describes an offered tool and its arguments. */
export function toolDetail(catalog: ToolCatalog): Tool {
  return builtinTool(
    {
      name: TOOL_DETAIL,
      description: 'Get the full description and the arguments of one tool, by its name.',
      input_schema: {
        type: 'object',
        properties: { name: { type: 'string', description: "The tool's name" } },
        required: ['name'],
      },
    },
    async ({ args, callContext }) => {
      const { name } = args as { readonly name: string };
      const own = await catalog.ownTools(callContext);
      const tool = own.find(({ definition }) => definition.name === name);
      if (tool === undefined) throw new ToolError(`There is no tool "${name}".`);
      const { description, input_schema } = tool.definition;
      const example = tool.example && { example: tool.example.input };
      return { name, description, input_schema, ...example };
    },
    ALLOWED_READER,
  );
}
