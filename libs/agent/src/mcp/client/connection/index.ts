// Connections to servers: transports, handshake, listing, calls, and how they end.
export { McpConnection } from './connection';
export type { Outgoing } from './outgoing';
export { PrincipalConnections } from './principal-connections';
export { pauseAfter } from './reconnect-delay';
export { Secrets } from './secrets';
export type { Listing } from './tool-listing';
