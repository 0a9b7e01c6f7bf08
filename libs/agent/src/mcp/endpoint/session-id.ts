import { randomUUID } from 'node:crypto';
import { headerOf } from '../../http/wire';

/**
 * Carries the client's abilities from `initialize` to later requests, so that the server stores
 * nothing.
 */
export const SESSION_ID_HEADER = 'mcp-session-id';

/** An id that tells whether the client can ask its user. No right depends on it. */
export function newMcpSessionId(elicits: boolean): string {
  return `${elicits ? 'e' : 'n'}-${randomUUID()}`;
}

export function sessionElicits(request: unknown): boolean {
  return headerOf(request, SESSION_ID_HEADER)?.startsWith('e-') ?? false;
}
