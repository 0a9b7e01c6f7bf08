import { AgentError } from '../../tool';

/**
 * Returns the logged-in user of a request; `undefined` for anonymous callers. The request is
 * Express's or Fastify's; declare the parameter with your own type.
 *
 * @example
 * const principal: PrincipalOf = (request: { user?: { email: string } }) => request.user?.email;
 */
export type PrincipalOf = (request: never) => string | undefined;

/**
 * The request has a user without a usable id. This is a server error, so it ends in a 500:
 * continuing as anonymous would expose one user's sessions to another.
 */
export class UnknownPrincipalError extends AgentError {
  /** @internal */
  constructor(message: string) {
    super('unknown_principal', message);
  }
}

/**
 * `user.id`, else `user.sub`, else `user.userId` of the request, as a string.
 *
 * @throws UnknownPrincipalError if there is a user with none of them
 */
export function defaultPrincipal(request: { readonly user?: unknown }): string | undefined {
  const { user } = request;
  if (user === undefined || user === null || user === false) return undefined;
  const { id, sub, userId } = user as { id?: unknown; sub?: unknown; userId?: unknown };
  const principal = nameOf(id ?? sub ?? userId);
  if (principal !== undefined) return principal;
  throw new UnknownPrincipalError(
    'request.user has no usable id, sub or userId. Set the principal option of AgentModule.forRoot.',
  );
}

/** @throws UnknownPrincipalError if a custom `principal` function returns an unusable value */
export function checkPrincipal(principal: unknown): string | undefined {
  if (principal === undefined || principal === null) return undefined;
  if (typeof principal === 'string' && principal !== '') return principal;
  throw new UnknownPrincipalError(
    'The principal option must return a non-empty string, or undefined for anonymous callers.',
  );
}

function nameOf(id: unknown): string | undefined {
  if (typeof id === 'string') return id === '' ? undefined : id;
  if (typeof id === 'number') return Number.isFinite(id) ? String(id) : undefined;
  if (typeof id === 'bigint') return id.toString();
  // An id object with its own `toString` (an ObjectId, say) is converted; a plain object is not.
  if (typeof id !== 'object' || id === null || id.toString === Object.prototype.toString) {
    return undefined;
  }
  if (Array.isArray(id)) return undefined;
  const text = id.toString.call(id);
  return text === '' ? undefined : text;
}
