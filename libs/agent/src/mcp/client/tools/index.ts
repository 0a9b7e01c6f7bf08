// Converts a server's list of tools to a toolkit of the registry: checks, schemas, names, traits,
// permissions.
export { isAffordable } from './expansions';
export { withoutExpressions } from './foreign-schema';
export type { RemoteTool } from './remote-tool';
export { RemoteToolkitBuilder, type RemoteCaller } from './remote-toolkit.builder';
