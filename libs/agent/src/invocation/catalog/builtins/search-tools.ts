import { summaryOf } from '../../../registry';
import type { Tool } from '../../../tool';
import type { AgentTools } from '../agent-tools';
import type { ToolCatalog } from '../tool.catalog';
import { ALLOWED_READER, builtinTool } from './builtin-tool';

export const SEARCH_TOOLS = 'search_tools';

const MOST_HITS = 8;

/**
 * Searches the caller's offered tools.
 *
 * @param catalogue the list of tools for the description
 */
export function searchTools(catalog: ToolCatalog, registered: AgentTools, catalogue = ''): Tool {
  return builtinTool(
    {
      name: SEARCH_TOOLS,
      description: `Find tools by what they do. A found tool can be called from the next step on.${catalogue}`,
      input_schema: {
        type: 'object',
        properties: {
          query: { type: 'string', minLength: 1, description: 'What the tool should do' },
        },
        required: ['query'],
      },
    },
    async ({ args, callContext }) => {
      const { query } = args as { readonly query: string };
      const own = await catalog.ownTools(callContext);
      const offered = new Set(own.map(({ definition }) => definition.name));
      return registered
        .search(query)
        .filter(({ name }) => offered.has(name))
        .slice(0, MOST_HITS)
        .map((definition) => ({ name: definition.name, summary: summaryOf(definition) }));
    },
    ALLOWED_READER,
  );
}
