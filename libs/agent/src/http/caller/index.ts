// The principal of a request.
export { type Caller, CallerResolver } from './caller.resolver';
export { isId, sessionIdOf, runIdOf } from './identifiers';
export { type PrincipalOf, defaultPrincipal, UnknownPrincipalError } from './principal';
