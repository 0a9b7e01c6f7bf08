import { ForbiddenException } from '@nestjs/common';

/**
 * Thrown by a guard of the MCP endpoint: the token is valid, and lacks scopes. The client reads
 * the scopes from the challenge of the answer and can ask for them.
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
    super(`The token lacks a scope: ${scopes.join(' ')}.`);
  }
}
