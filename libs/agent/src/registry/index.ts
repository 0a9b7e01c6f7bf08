// The application's tools and groups, by name, and the search in them.
export {
  defineTool,
  type ToolDeclaration,
  type DescribedTool,
  type InputOf,
  type ToolSchema,
} from './define-tool';
export { definitionProblems } from './definition-check';
export * from './foreign-name';
export * from './function-tool';
export { optionProblems } from './option-problems';
export type { RegistryChange } from './registrations';
export * from './tool-group';
export * from './tool-summary';
export * from './tool.registry';
export type { RuntimeToolkit } from './toolkit';
export * from './toolkit-builder';
