import type { ToolDefinition } from './tool-definition';

/** The text of tools as a model receives them, for estimates of its length: without `title` and `output_schema`. */
export function toolText(tools: readonly ToolDefinition[]): string {
  return JSON.stringify(
    tools.map(({ name, description, input_schema }) => ({ name, description, input_schema })),
  );
}
