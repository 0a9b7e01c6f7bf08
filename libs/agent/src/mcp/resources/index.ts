// Resources: URIs and templates of decorated methods, read for one caller.
export { McpResources } from './mcp.resources';
export type { McpResourceContents } from './resource-contents';
export type { McpResourceEntry, McpResourceTemplateEntry } from './declared-resource';
