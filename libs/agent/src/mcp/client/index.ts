// Foreign servers' tools in the registry: McpClientModule, its options, and McpClients.
export { McpClientModule } from './mcp-client.module';
export { McpClients, type McpClientStatus } from './mcp-clients';
export type { McpClientState } from './link';
export type {
  McpClientAsyncOptions,
  McpClientCommonOptions,
  McpClientHeaders,
  McpClientHttpOptions,
  McpClientOptions,
  McpClientServer,
  McpClientStdioOptions,
  McpClientToolsOptions,
} from './options';
