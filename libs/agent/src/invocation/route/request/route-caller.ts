import { createHash } from 'node:crypto';
import type { ResolvedRoute, RouteHosts } from '../../../discovery';
import { RouteResponseError } from '../../../tool';
import type { CallerConnection } from '../../dispatch';
import { addressOf, chatRequestOf, localOf } from './chat-request';
import type { RouteHeaderRules } from '../input';

/** Headers that differ between requests of one caller and do not affect the response. */
const TRACING = new Set(['x-request-id', 'traceparent', 'tracestate']);

type CallerHeaders = Record<string, string | readonly string[]>;

/** The caller of the chat request, as the application sees it. */
export function callerOf(request: unknown): CallerConnection {
  const chat = chatRequestOf(request);
  const { protocol, socket, local = localOf(socket) } = chat;
  // A trusted proxy determines the address and protocol.
  const remoteAddress = addressOf(chat);
  const isEncrypted = protocol === undefined ? socket?.encrypted === true : protocol === 'https';
  return {
    isEncrypted,
    ...(remoteAddress !== undefined && { remoteAddress }),
    local,
    ...(socket && { connection: socket }),
  };
}

/**
 * The chat request's headers for a route. Includes a host only if the route requires one.
 *
 * @throws RouteResponseError if the caller used none of the route's hosts
 */
export function callerHeadersOf(
  request: unknown,
  route: ResolvedRoute,
  rules: RouteHeaderRules,
): CallerHeaders {
  const { headers = {}, hostname } = chatRequestOf(request);
  const forwarded: CallerHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase();
    if (value !== undefined && rules.isForwarded(key)) forwarded[key] = value;
  }
  return route.hosts ? { ...forwarded, host: hostOf(route.hosts, hostname) } : forwarded;
}

/** Names of the chat request's headers that no route gets and a guard may have asked for. */
export function leftBehindOf(request: unknown, rules: RouteHeaderRules): readonly string[] {
  const { headers = {} } = chatRequestOf(request);
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  return names.filter((name) => rules.isLeftBehind(name));
}

export function hasCredentials(headers: CallerHeaders): boolean {
  return 'authorization' in headers || 'cookie' in headers;
}

/** A hash of all headers that distinguish callers. */
export function callerDigest(request: unknown, headers: CallerHeaders): string {
  const { remoteAddress = null, isEncrypted } = callerOf(request);
  const identifying = Object.entries(headers).filter(([name]) => !TRACING.has(name));
  const caller = [remoteAddress, isEncrypted, identifying.sort()];
  return createHash('sha256').update(JSON.stringify(caller)).digest('base64url');
}

/** The host that the caller named; `undefined` for one that is no host. */
export function hostnameOf(request: unknown): string | undefined {
  const { hostname } = chatRequestOf(request);
  return isHost(hostname) ? hostname : undefined;
}

function isHost(hostname: string | undefined): hostname is string {
  return hostname !== undefined && /^[\w.:[\]-]+$/.test(hostname);
}

function hostOf(hosts: RouteHosts, hostname: string | undefined): string {
  if (isHost(hostname) && hosts.matches(hostname)) return hostname;
  const [fixed] = hosts.fixed;
  if (fixed !== undefined) return fixed;
  throw new RouteResponseError(
    404,
    `This route is only available at the host ${hosts.declared}, and the caller used another host.`,
  );
}
