// Tools on offer to one caller, and the tools that search for tools.
export { AgentTools, type AgentSelection } from './agent-tools';
export { ToolCatalog, type ToolList, type OfferOptions } from './tool.catalog';
export { type ExplainedTool, ToolExplainer } from './tool-explainer';
export { type BuiltinOptions } from './builtins';
export { type ToolSelection } from './tool-selection';
