/** The caller of one MCP request, after the guards. */
export interface McpCaller {
  /** The logged-in user; missing for anonymous callers. */
  readonly principal?: string;
  /** The request as guards, pipes and routes see it. */
  readonly request: unknown;
  /** Aborts when the answer is no longer wanted. */
  readonly signal: AbortSignal;
  /** Name and version of the host, as it reports them. */
  readonly client?: string;
}
