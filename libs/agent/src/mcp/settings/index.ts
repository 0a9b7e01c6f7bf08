// The options of a server, and their defaults.
export * from './mcp-server-options.interface';
export { MCP_OPTIONS, MCP_SETTINGS, type McpServerSettings, settingsOf } from './settings';
export {
  checkAsyncServerOptions,
  checkReturnedOptions,
  checkServerOptions,
} from './check-server-options';
