// The decorators of resources and prompts, and the keys of their metadata.
export { MCP_PROMPT, MCP_RESOURCE } from './metadata';
export { McpPrompt, type McpPromptOptions } from './mcp-prompt.decorator';
export { McpResource, type McpResourceOptions } from './mcp-resource.decorator';
