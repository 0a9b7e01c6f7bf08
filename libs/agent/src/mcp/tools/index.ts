// Tools as MCP lists and calls them.
export { CallApproval } from './call-approval';
export { McpTools } from './mcp.tools';
export { ServedTools } from './served-tools';
