// Suggestions for the arguments of prompts and the variables of resources.
export { McpCompletions } from './mcp.completions';
