import { ForbiddenException, HttpException } from '@nestjs/common';
import type { ToolResponse } from '../../tool';
import type { McpCaller } from '../protocol';
import type { McpAuthOptions } from '../settings';
import { metadataUrl } from './resource-metadata';

/**
 * Thrown by a guard, of the MCP endpoint or of a tool: the token is valid, and lacks scopes. The client
 * reads the scopes from the challenge of the answer, can ask for them, and sends the request again.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3.1
 * @example
 * import { InsufficientScopeException } from 'nestjs-agent/mcp';
 *
 * \@Injectable()
 * export class OrdersScopeGuard implements CanActivate {
 *   canActivate(context: ExecutionContext): boolean {
 *     const { scopes } = context.switchToHttp().getRequest<{ scopes: readonly string[] }>();
 *     if (!scopes.includes('orders')) throw new InsufficientScopeException(['orders']);
 *     return true;
 *   }
 * }
 */
export class InsufficientScopeException extends ForbiddenException {
  /**
   * Creates the exception.
   *
   * @param scopes the scopes that the request needs
   */
  constructor(
    /** The scopes that the request needs. */
    readonly scopes: readonly string[],
  ) {
    super({
      statusCode: 403,
      message: `The token lacks a scope: ${scopes.join(' ')}.`,
      error: 'insufficient_scope',
      scope: scopes.join(' '),
    });
  }
}

/**
 * Lets the host ask for the scopes that a tool's guard missed.
 *
 * @throws InsufficientScopeException if there are any, and the host can get them
 */
export function assertScopes({ error }: ToolResponse, { canStepUp }: McpCaller): void {
  if (canStepUp && error?.scopes) throw new InsufficientScopeException(error.scopes);
}

/**
 * The header `WWW-Authenticate` for a guard's error: for a missing or invalid token, and for missing
 * scopes. A plain 403 has none, since no other token would help.
 *
 * @param hasToken whether the request had a token, which hosts then renew
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-5.1
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3.1
 */
export function challengeHeader(
  error: unknown,
  hasToken: boolean,
  auth?: McpAuthOptions,
): Readonly<Record<string, string>> {
  if (error instanceof InsufficientScopeException) {
    return bearer({ error: 'insufficient_scope', scope: error.scopes.join(' ') }, auth);
  }
  const isUnauthorized = error instanceof HttpException && error.getStatus() === 401;
  if (!isUnauthorized || auth === undefined) return {};
  const { scopes } = auth;
  return bearer(
    { ...(hasToken && { error: 'invalid_token' }), ...(scopes && { scope: scopes.join(' ') }) },
    auth,
  );
}

function bearer(
  parameters: Readonly<Record<string, string>>,
  auth?: McpAuthOptions,
): Readonly<Record<string, string>> {
  const all = { ...(auth && { resource_metadata: metadataUrl(auth) }), ...parameters };
  const written = Object.entries(all).map(
    ([name, value]) => `${name}="${value.replaceAll(/[^\x20-\x7E]|["\\]/g, '')}"`,
  );
  return { 'www-authenticate': `Bearer ${written.join(', ')}` };
}
