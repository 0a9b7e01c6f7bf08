/** How route tools reach the application. */
export interface RouteOptions {
  /** Headers of the chat request to forward besides the usual ones, by name or pattern. */
  readonly forwardHeaders?: readonly (string | RegExp)[];
  /**
   * `'in-process'` (the default) runs the application's own request handler without a port;
   * `baseUrl` sends the calls to a real address. A path in it stands before the route's.
   *
   * @example
   * { dispatch: { baseUrl: 'https://api.example.com/v2' } }
   */
  readonly dispatch?: 'in-process' | { readonly baseUrl: string };
}
