// Prompts: messages of decorated methods, for the users of a host to pick.
export { McpPrompts } from './mcp.prompts';
export type { McpPromptContent, McpPromptMessage, McpPromptResult } from './prompt-messages';
