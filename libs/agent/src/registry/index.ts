// The application's tools and groups, by name, and the search in them.
export { definitionProblems } from './definition-check';
export { optionProblems } from './option-problems';
export type { RegistryChange } from './registrations';
export {
  defineTool,
  type DescribedTool,
  functionTool,
  type FunctionToolOptions,
  type InputOf,
  type RuntimeToolkit,
  type ToolDeclaration,
  type ToolHandler,
  type ToolSchema,
} from './runtime-tools';
export { defaultActiveGroups, selectGroups, TOOL_GROUPS, type ToolGroup } from './tool-groups';
export * from './tool-summary';
export * from './tool.registry';
export * from './toolkit-builder';
