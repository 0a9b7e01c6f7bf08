// A configured server over time: connecting and reconnecting, its tools in the registry, its calls.
export { ServerLink, type McpClientState } from './server-link';
