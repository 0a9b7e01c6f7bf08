import { defined, LONGEST_TIMER_MS } from '../../../internal';
import type { McpClientCommonOptions, McpClientServer } from './mcp-client-options';

/** Options without a default. */
type Undefaulted = Pick<McpClientCommonOptions, 'permission' | 'instructions'>;

/** A server's options with their defaults. */
export interface ServerSettings
  extends Required<Omit<McpClientCommonOptions, keyof Undefaulted>>, Undefaulted {
  readonly name: string;
  readonly endpoint: McpClientServer;
}

export function settingsOf(name: string, endpoint: McpClientServer): ServerSettings {
  const { prefix, tools, trust, required, maxTools, maxSchemaBytes } = endpoint;
  const { permission, instructions } = endpoint;
  return defined({
    name,
    endpoint,
    prefix: prefix ?? `${name.replaceAll('-', '_')}_`,
    tools: tools ?? {},
    trust: trust ?? false,
    permission,
    instructions,
    required: required ?? false,
    connectTimeoutMs: milliseconds(endpoint.connectTimeoutMs, 10_000),
    timeoutMs: milliseconds(endpoint.timeoutMs, 30_000),
    maxTotalMs: milliseconds(endpoint.maxTotalMs, 300_000),
    maxTools: maxTools ?? 128,
    maxSchemaBytes: maxSchemaBytes ?? 65_536,
  });
}

/** Node.js fires longer timers at once. */
function milliseconds(given: number | undefined, otherwise: number): number {
  return Math.min(given ?? otherwise, LONGEST_TIMER_MS);
}
