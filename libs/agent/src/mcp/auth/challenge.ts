import type { HttpException } from '@nestjs/common';
import type { McpAuthOptions } from '../settings';
import { InsufficientScopeException } from './insufficient-scope.exception';
import { metadataUrl } from './resource-metadata';

/**
 * The value of `WWW-Authenticate` for a guard's error: for a missing or invalid token, and for
 * missing scopes. A plain 403 has none, since no other token would help.
 *
 * @param hasToken whether the request had a token, which hosts then renew
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-5.1
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3.1
 */
export function challengeOf(
  error: HttpException,
  hasToken: boolean,
  auth?: McpAuthOptions,
): string | undefined {
  if (error instanceof InsufficientScopeException) {
    return bearer({ error: 'insufficient_scope', scope: error.scopes.join(' ') }, auth);
  }
  if (error.getStatus() !== 401 || auth === undefined) return undefined;
  const { scopes } = auth;
  return bearer(
    { ...(hasToken && { error: 'invalid_token' }), ...(scopes && { scope: scopes.join(' ') }) },
    auth,
  );
}

function bearer(parameters: Readonly<Record<string, string>>, auth?: McpAuthOptions): string {
  const all = { ...(auth && { resource_metadata: metadataUrl(auth) }), ...parameters };
  const written = Object.entries(all).map(
    ([name, value]) => `${name}="${value.replaceAll(/[^\x20-\x7E]|["\\]/g, '')}"`,
  );
  return `Bearer ${written.join(', ')}`;
}
