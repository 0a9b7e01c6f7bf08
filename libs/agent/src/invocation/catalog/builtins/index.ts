// The library's own tools: search and details of tools, groups, figures of the process.
export { type BuiltinOptions, BuiltinTools } from './builtin.tools';
export { SEARCH_TOOLS, searchTools } from './search-tools';
export { TOOL_DETAIL } from './tool-detail';
