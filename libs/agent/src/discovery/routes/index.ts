// Routes of controllers: method, path, version and host as the application's router resolves them.
export { RouteShadows, type ServedRoute } from './route-shadows';
export { type ResolvedRoute, type RouteAddress, RouteResolver } from './route.resolver';
export { type RouteHosts } from './route-host';
export { pathParametersOf, type PathToken, sharedParametersOf } from './route-pattern';
