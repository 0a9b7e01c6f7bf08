import { randomBytes } from 'node:crypto';
import { nameRule, wildcard } from '../../internal';
import type {
  McpApproval,
  McpServerLimits,
  McpServerOptions,
} from './mcp-server-options.interface';

/** The options of one server with their defaults. */
export interface McpServerSettings
  extends
    Required<Pick<McpServerOptions, 'name' | 'version' | 'listChanged' | 'pageSize' | 'ttlMs'>>,
    Pick<McpServerOptions, 'instructions' | 'auth'> {
  readonly path: string;
  readonly groups: readonly string[];
  /** The patterns of `tools.include` and `tools.exclude`. */
  readonly patterns: readonly string[];
  readonly servesForeign: boolean;
  readonly secret: string;
  /** Whether the application set the secret; otherwise it is random per process. */
  readonly hasOwnSecret: boolean;
  readonly limits: Required<McpServerLimits>;
  isAllowedOrigin(origin: string): boolean;
  isServed(tool: string): boolean;
  approvalOf(tool: string): McpApproval;
}

export const MCP_SETTINGS = Symbol('nestjs-agent:mcp-settings');

/** The options that the module was given, or its factory returned. */
export const MCP_OPTIONS = Symbol('nestjs-agent:mcp-options');

const DEFAULT_LIMITS: Required<McpServerLimits> = {
  bodyBytes: 1_048_576,
  callsPerPrincipal: 8,
  streams: 1_000,
  streamsPerPrincipal: 4,
  approvalMs: 300_000,
};

const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

export function settingsOf(
  options: McpServerOptions,
  path: string,
  agentName: string,
): McpServerSettings {
  const { tools = {}, auth, instructions } = options;
  return {
    path,
    name: options.name ?? agentName,
    version: options.version ?? '0.0.0',
    ...(instructions !== undefined && { instructions }),
    groups: tools.groups ?? [],
    patterns: [...(tools.include ?? []), ...(tools.exclude ?? [])],
    servesForeign: tools.foreign ?? false,
    ...(auth && { auth }),
    listChanged: options.listChanged ?? true,
    hasOwnSecret: options.secret !== undefined,
    secret: options.secret ?? randomBytes(32).toString('base64'),
    pageSize: options.pageSize ?? 500,
    ttlMs: options.ttlMs ?? 60_000,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    isAllowedOrigin: originRule(options),
    isServed: nameRule(tools),
    approvalOf: approvalRule(options.approvals),
  };
}

function originRule({ allowedOrigins, auth }: McpServerOptions): (origin: string) => boolean {
  if (allowedOrigins !== undefined) {
    const allowed = new Set(allowedOrigins.map(originOf));
    return (origin) => allowed.has(origin);
  }
  const own = auth && new URL(auth.resource).origin;
  return (origin) => origin === own || LOOPBACK.test(origin);
}

/** As browsers send it. `URL` knows no origin of pages of extensions and desktop programs. */
function originOf(url: string): string {
  const { origin, protocol, host } = new URL(url);
  return origin === 'null' ? `${protocol}//${host}` : origin;
}

function approvalRule(
  approvals: McpServerOptions['approvals'] = 'elicit',
): (tool: string) => McpApproval {
  if (typeof approvals === 'string') return () => approvals;
  const rules = Object.entries(approvals).map(
    ([pattern, approval]) => [wildcard(pattern), approval] as const,
  );
  return (tool) => rules.find(([pattern]) => pattern.test(tool))?.[1] ?? 'elicit';
}
