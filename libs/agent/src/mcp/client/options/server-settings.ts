import { LONGEST_TIMER_MS } from '../../../internal';
import type { Permission } from '../../../tool';
import type {
  McpClientHttpOptions,
  McpClientServer,
  McpClientStdioOptions,
  McpClientToolsOptions,
} from './mcp-client-options';

/** A server's options with their defaults. */
export interface ServerSettings {
  readonly name: string;
  readonly endpoint: McpClientHttpOptions | McpClientStdioOptions;
  readonly prefix: string;
  readonly tools: McpClientToolsOptions;
  readonly trust: boolean;
  readonly permission?: Permission;
  readonly instructions?: string | false;
  readonly required: boolean;
  readonly connectTimeoutMs: number;
  readonly timeoutMs: number;
  readonly maxTotalMs: number;
  readonly maxTools: number;
  readonly maxSchemaBytes: number;
}

export function settingsOf(name: string, server: McpClientServer): ServerSettings {
  const { permission, instructions } = server;
  return {
    name,
    endpoint: server,
    prefix: server.prefix ?? `${name.replaceAll('-', '_')}_`,
    tools: server.tools ?? {},
    trust: server.trust ?? false,
    ...(permission !== undefined && { permission }),
    ...(instructions !== undefined && { instructions }),
    required: server.required ?? false,
    connectTimeoutMs: milliseconds(server.connectTimeoutMs, 10_000),
    timeoutMs: milliseconds(server.timeoutMs, 30_000),
    maxTotalMs: milliseconds(server.maxTotalMs, 300_000),
    maxTools: server.maxTools ?? 128,
    maxSchemaBytes: server.maxSchemaBytes ?? 65_536,
  };
}

/** Node.js fires longer timers at once. */
function milliseconds(given: number | undefined, otherwise: number): number {
  return Math.min(given ?? otherwise, LONGEST_TIMER_MS);
}
