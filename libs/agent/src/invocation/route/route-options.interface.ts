/**
 * How route tools reach the application.
 *
 * @example
 * const options: RouteOptions = {
 *   forwardHeaders: ['x-tenant', /^x-feature-/],
 *   dispatch: { baseUrl: 'https://api.example.com/v2' },
 * };
 */
export interface RouteOptions {
  /**
   * Headers of the chat request to forward, by name or pattern; none by default. Always forwarded
   * are `authorization`, `cookie`, `accept-language` and `x-request-id`; never those of one connection
   * or message, such as `host` and `content-*`, nor those of a trace, which `telemetry` sets.
   */
  readonly forwardHeaders?: readonly (string | RegExp)[];
  /**
   * `'in-process'` (the default) runs the application's own request handler without a port;
   * `baseUrl` sends the calls to a real address, fixed at boot.
   */
  readonly dispatch?:
    | 'in-process'
    | {
        /** An absolute URL. A path in it stands before the route's. */
        readonly baseUrl: string;
      };
}
