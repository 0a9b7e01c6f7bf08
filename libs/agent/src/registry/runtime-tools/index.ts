// Tools and toolkits that are made at run time, from declarations and functions.
export {
  type DescribedTool,
  defineTool,
  type InputOf,
  type ToolDeclaration,
  type ToolSchema,
  toolOf,
} from './define-tool';
export { type FunctionToolOptions, functionTool, type ToolHandler } from './function-tool';
export { type RuntimeToolkit, toolsOfToolkit } from './runtime-toolkit';
