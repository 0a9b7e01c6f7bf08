import type { ResolvedRoute } from '../../discovery';
import { RouteResponseError } from '../../tool';
import type { Caller } from '../dispatch';
import { chatRequestOf } from './chat-request';
import type { RouteHeaderRules } from './route-header-rules';

/** Stands where no host is known or wanted; the caller's own never decides anything. */
const NEUTRAL_HOST = 'localhost';

/** The headers that a route call carries for its caller. */
export type CallerHeaders = Record<string, string | readonly string[]>;

/** The chat request's connection, as the application sees it. */
export function callerOf(request: unknown): Caller {
  const { ip, protocol, socket } = chatRequestOf(request);
  // Behind a trusted proxy the address and the protocol are not the connection's own.
  const remoteAddress = ip ?? socket?.remoteAddress;
  const isEncrypted = protocol === undefined ? socket?.encrypted === true : protocol === 'https';
  return {
    isEncrypted,
    ...(remoteAddress !== undefined && { remoteAddress }),
    ...(socket && { connection: socket }),
  };
}

/** @throws RouteResponseError where the caller came by no host of the route */
export function callerHeadersOf(
  request: unknown,
  route: ResolvedRoute,
  rules: RouteHeaderRules,
): CallerHeaders {
  const { headers = {}, hostname } = chatRequestOf(request);
  const forwarded: CallerHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && rules.isForwarded(name.toLowerCase())) forwarded[name] = value;
  }
  forwarded.host = hostOf(route, hostname);
  return forwarded;
}

/** Whether the headers say who calls. */
export function hasCredentials(headers: CallerHeaders): boolean {
  return 'authorization' in headers || 'cookie' in headers;
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
