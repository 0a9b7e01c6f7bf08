import { functionTool, type FunctionToolOptions } from '../../registry';
import type { Tool, ToolDefinition, ToolInvocation } from '../../tool';

/**
 * For tools that only arrange what is on offer. An application that wants to be asked about its own
 * tools does not mean these; `permissions` may still name them.
 */
export const ALLOWED_READER = { readOnly: true, permission: 'allow' } as const;

/** A tool of the library's own: one that may also see who calls, and in which session. */
export function builtinTool(
  definition: ToolDefinition,
  invoke: (invocation: ToolInvocation) => unknown,
  options: FunctionToolOptions = { readOnly: true },
): Tool {
  return {
    ...functionTool(definition, invoke, options),
    origin: 'library',
    source: `built-in tool "${definition.name}"`,
    invoke,
  };
}
