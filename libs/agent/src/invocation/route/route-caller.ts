import type { ResolvedRoute } from '../../discovery';
import { RouteResponseError } from '../../tool';
import type { Caller } from '../dispatch';
import type { RouteHeaderRules } from './route-header-rules';

/** How often an agent may reach itself through routes before it is stopped. */
const MAX_DEPTH = 3;
export const DEPTH_HEADER = 'x-agent-depth';

/** Stands where no host is known or wanted; the caller's own never decides anything. */
const NEUTRAL_HOST = 'localhost';

/** What Express and Fastify know of the chat request, as far as it is needed. */
interface ChatRequest {
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly ip?: string;
  readonly protocol?: string;
  readonly hostname?: string;
  readonly socket?: { readonly remoteAddress?: string; readonly encrypted?: boolean };
}

/** The headers that a route call carries for its caller. */
export type CallerHeaders = Record<string, string | readonly string[]>;

/** The chat request's connection, as the application sees it. */
export function callerOf(request: unknown): Caller {
  const { ip, protocol, socket } = asChatRequest(request);
  // Behind a trusted proxy the address and the protocol are not the connection's own.
  const remoteAddress = ip ?? socket?.remoteAddress;
  const isEncrypted = protocol === undefined ? socket?.encrypted === true : protocol === 'https';
  return {
    isEncrypted,
    ...(remoteAddress !== undefined && { remoteAddress }),
    ...(socket && { connection: socket }),
  };
}

/** @throws RouteResponseError where the agent reached itself too often, or by no host of the route */
export function callerHeadersOf(
  request: unknown,
  route: ResolvedRoute,
  rules: RouteHeaderRules,
): CallerHeaders {
  const { headers = {}, hostname } = asChatRequest(request);
  const forwarded: CallerHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && rules.isForwarded(name.toLowerCase())) forwarded[name] = value;
  }
  forwarded[DEPTH_HEADER] = String(nextDepth(headers[DEPTH_HEADER]));
  forwarded.host = hostOf(route, hostname);
  return forwarded;
}

/** Whether the headers say who calls. */
export function hasCredentials(headers: CallerHeaders): boolean {
  return 'authorization' in headers || 'cookie' in headers;
}

function nextDepth(header: string | readonly string[] | undefined): number {
  const depth = Number.parseInt(String(header ?? '0'), 10);
  // What is no number cannot have come from here, and must not open the way.
  if (!(depth < MAX_DEPTH)) {
    throw new RouteResponseError(
      508,
      `The agent has reached itself through its own routes ${MAX_DEPTH} times; this call was stopped.`,
    );
  }
  return Math.max(depth, 0) + 1;
}

function hostOf({ hosts }: ResolvedRoute, hostname: string | undefined): string {
  if (!hosts) return NEUTRAL_HOST;
  if (hostname !== undefined && /^[\w.:[\]-]+$/.test(hostname) && hosts.matches(hostname)) {
    return hostname;
  }
  if (hosts.fixed !== undefined) return hosts.fixed;
  throw new RouteResponseError(
    404,
    `This is only there for callers of the host ${hosts.declared}, and this caller came by another.`,
  );
}

function asChatRequest(request: unknown): ChatRequest {
  return typeof request === 'object' && request !== null ? request : {};
}
