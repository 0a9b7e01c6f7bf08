/**
 * The Model Context Protocol: the application as a server, and foreign servers as tools.
 *
 * @module nestjs-agent/mcp
 */
export { InsufficientScopeException } from './auth';
export { McpServerModule } from './server';
export type {
  McpApproval,
  McpAuthOptions,
  McpServerLimits,
  McpServerModuleAsyncOptions,
  McpServerModuleOptions,
  McpServerOptions,
  McpServerStaticOptions,
  McpToolSelection,
} from './settings';
export {
  McpPrompt,
  type McpPromptOptions,
  McpResource,
  type McpResourceOptions,
} from './decorators';
export type { McpPromptContent, McpPromptMessage, McpPromptResult } from './prompts';
export type { CompletionContext } from '../decorators';
export * from './client';
