import type { ToolDefinition } from 'nestjs-agent';
import type { Recording } from './recording';

interface RecordedTool {
  readonly type?: string;
  readonly name?: string;
  readonly function?: { readonly name?: string };
}

/**
 * The tools that a recorded request offered, by their names. Their schemas are open, so the model's
 * arguments come through unchanged.
 */
export function toolsOf({ request }: Recording): readonly ToolDefinition[] {
  const { tools = [], functions = [] } = (request ?? {}) as {
    readonly tools?: readonly RecordedTool[] | null;
    readonly functions?: readonly RecordedTool[];
  };
  const names = [...(tools ?? []), ...functions].flatMap(
    (tool) => tool.function?.name ?? tool.name ?? [],
  );
  return [...new Set(names)].map((name) => ({
    name,
    description: '',
    input_schema: { type: 'object' },
  }));
}
