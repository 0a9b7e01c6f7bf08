// Prompts: messages of decorated methods, for the users of a host to pick.
export type { McpPromptArgument, McpPromptEntry } from './declared-prompt';
export { McpPrompts } from './mcp.prompts';
export type { McpGottenPrompt } from './mcp.prompts';
export type {
  McpPromptContent,
  McpPromptMessage,
  McpPromptResult,
} from './prompt-result.interface';
