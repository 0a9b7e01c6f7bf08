import { isJsonObject } from '../../message';
import { ToolDeclarationError, type Tool, type ToolDefinition } from '../../tool';
import { defineTool, type DescribedTool, type InputOf, type ToolSchema } from './define-tool';
import { functionTool, type FunctionToolOptions, type ToolHandler } from './function-tool';

/** One tool of each form that `ToolRegistry.register` accepts. */
export function toolOf(
  subject: Tool | ToolDefinition | DescribedTool<ToolSchema>,
  handler: ToolHandler<never> | undefined,
  options: FunctionToolOptions | undefined,
): Tool {
  if (isJsonObject(subject) && 'definition' in subject) return subject as Tool;
  if (typeof handler !== 'function') {
    throw new ToolDeclarationError(
      'ToolRegistry.register() needs a handler, a function of the input, beside the definition.',
    );
  }
  return isJsonObject(subject) && 'input' in subject
    ? defineTool({
        ...options,
        ...(subject as DescribedTool<ToolSchema>),
        execute: handler as ToolHandler<InputOf<ToolSchema>>,
      })
    : functionTool(subject as ToolDefinition, handler, options);
}
