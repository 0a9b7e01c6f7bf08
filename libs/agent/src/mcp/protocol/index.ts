// MCP's messages, errors, pages and content. Nothing here knows of servers, clients or Nest.
export * from './content';
export * from './json-rpc';
export * from './mcp-context';
export * from './page';
export * from './revisions';
export * from './rpc-error';
