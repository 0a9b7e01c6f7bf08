// The methods of the protocol, and the server's description of itself.
export { McpMethods } from './mcp.methods';
export { capabilitiesOf, ServerCard } from './server-card';
