import type { McpClientOptions } from 'nestjs-agent/mcp';

/** The sample server of MCP, started as a child process. */
const SERVER = '@modelcontextprotocol/server-everything/dist/index.js';
const CLIENT = '@modelcontextprotocol/client';

/** A foreign server with one tool for the agent; none where its package is not installed. */
export function foreignOptions(
  resolve: (path: string) => string = require.resolve,
): McpClientOptions {
  const [entry, client] = [SERVER, CLIENT].map((path) => resolved(path, resolve));
  if (entry === undefined || client === undefined) return { servers: {} };
  return {
    servers: {
      samples: {
        command: process.execPath,
        args: [entry],
        prefix: '',
        tools: {
          include: ['get-structured-content'],
          rename: { 'get-structured-content': 'get_weather' },
          options: { 'get-structured-content': { permission: 'allow', readOnly: true } },
        },
      },
    },
  };
}

function resolved(path: string, resolve: (path: string) => string): string | undefined {
  try {
    return resolve(path);
  } catch {
    return undefined;
  }
}
