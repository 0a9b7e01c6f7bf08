import { functionTool, type FunctionToolOptions } from '../../../registry';
import type { Tool, ToolDefinition, ToolInvocation } from '../../../tool';

/**
 * The permission of tools that only manage the offered tools. A default of `ask` is not meant for
 * them; `permissions` may still name them.
 */
export const ALLOWED_READER = { readOnly: true, permission: 'allow' } as const;

/** A built-in tool, with access to the call's context. */
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
