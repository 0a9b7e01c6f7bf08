import { createHash } from 'node:crypto';
import type { ResolvedRoute, RouteHosts } from '../../../discovery';
import { RouteResponseError } from '../../../tool';
import type { CallerConnection } from '../../dispatch';
import { chatRequestOf } from './chat-request';
import type { RouteHeaderRules } from '../input';

/** Differ from request to request of one caller, and no answer goes by them. */
const TRACING = new Set(['x-request-id']);

/** The headers that a route call carries for its caller. */
type CallerHeaders = Record<string, string | readonly string[]>;

/** The chat request's connection, as the application sees it. */
export function callerOf(request: unknown): CallerConnection {
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

/**
 * What of the chat request's headers a route sees. A host is among them only where the route wants
 * one: the caller's own decides nothing.
 *
 * @throws RouteResponseError where the caller came by no host of the route
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

/** Whether the headers say who calls. */
export function hasCredentials(headers: CallerHeaders): boolean {
  return 'authorization' in headers || 'cookie' in headers;
}

/** All that a route may go by in telling callers apart; it does not give away what it was made of. */
export function callerDigest(request: unknown, headers: CallerHeaders): string {
  const { remoteAddress = null, isEncrypted } = callerOf(request);
  const telling = Object.entries(headers).filter(([name]) => !TRACING.has(name));
  const caller = [remoteAddress, isEncrypted, telling.sort()];
  return createHash('sha256').update(JSON.stringify(caller)).digest('base64url');
}

function hostOf(hosts: RouteHosts, hostname: string | undefined): string {
  if (hostname !== undefined && /^[\w.:[\]-]+$/.test(hostname) && hosts.matches(hostname)) {
    return hostname;
  }
  const [fixed] = hosts.fixed;
  if (fixed !== undefined) return fixed;
  throw new RouteResponseError(
    404,
    `This is only there for callers of the host ${hosts.declared}, and this caller came by another.`,
  );
}
