/** Injection token of the `RouteOptions` that `forRoot` was given. */
export const ROUTE_OPTIONS = Symbol('nestjs-agent:route-options');
