// The options of McpClientModule, their check and their defaults.
export type * from './mcp-client-options';
export { checkAsyncClientOptions, checkClientOptions } from './check-client-options';
export { isReservedHeader } from './reserved-header';
export { settingsOf, type ServerSettings } from './server-settings';
