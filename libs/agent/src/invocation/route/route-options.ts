/**
 * Options of route calls.
 *
 * @example
 * const options: RouteOptions = {
 *   forwardHeaders: ['x-tenant', /^x-feature-/],
 *   dispatch: { baseUrl: 'https://api.example.com/v2' },
 * };
 */
export interface RouteOptions {
  /**
   * Headers of the chat request to forward, by name or pattern; none by default. `authorization`,
   * `cookie`, `accept-language` and `x-request-id` are always forwarded; headers of one connection
   * or message, such as `host` and `content-*`, and trace headers, which `telemetry` sets, never
   * are.
   */
  readonly forwardHeaders?: readonly (string | RegExp)[];
  /**
   * `'in-process'` (the default) runs the application's own request handler without a port;
   * `baseUrl` sends the calls to a real address, fixed at boot.
   */
  readonly dispatch?:
    | 'in-process'
    | {
        /** An absolute URL. Its path is a prefix of the routes' paths. */
        readonly baseUrl: string;
      };
}

/** Injection token of the `RouteOptions` that `forRoot` was given. */
export const ROUTE_OPTIONS = Symbol('nestjs-agent:route-options');
