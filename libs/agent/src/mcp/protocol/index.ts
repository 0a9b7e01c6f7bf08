// MCP's messages, errors, pages and content. Nothing here knows of servers, clients or Nest.
export { type McpContent, mcpContentOf } from './content';
export {
  errorMessage,
  isId,
  resultMessage,
  rpcIdOf,
  rpcMessageOf,
  type RpcId,
  type RpcNotification,
  type RpcRequest,
} from './json-rpc';
export type { McpCaller } from './mcp-caller';
export type { GivenAnswer, McpContext } from './mcp-context';
export { pageOf } from './page';
export { LEGACY_REVISIONS, META, MODERN_REVISION } from './revisions';
export { invalidParams, RPC, RpcError } from './rpc-error';
