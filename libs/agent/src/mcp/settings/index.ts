// The options of a server, and their defaults.
export * from './mcp-server-options.interface';
export { MCP_OPTIONS, MCP_SETTINGS, type McpServerSettings, settingsOf } from './settings';
export { SERVED_AGENT, SERVED_CALLS, servedAgentProviders } from './served-agent';
export {
  checkAsyncServerOptions,
  checkReturnedOptions,
  checkServerOptions,
} from './check-server-options';
