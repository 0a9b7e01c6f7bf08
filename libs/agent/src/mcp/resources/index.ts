// Resources: URIs and templates of decorated methods, read for one caller.
export { McpResources } from './mcp.resources';
