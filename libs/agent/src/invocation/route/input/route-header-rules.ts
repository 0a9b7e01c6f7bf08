/** Headers of the chat request that every route call carries on. */
const FORWARDED = new Set(['authorization', 'cookie', 'accept-language', 'x-request-id']);

/**
 * Belong to one connection or one message, would change what the request is, or name the chat request
 * as its parent in a trace, which the tool call is.
 */
const NEVER_FORWARDED =
  /^(?:host|connection|keep-alive|te|trailers?|transfer-encoding|upgrade|expect|range|proxy-.*|content-.*|if-.*|traceparent|tracestate|baggage|accept-encoding|idempotency-key|x-agent-depth|x-http-method(?:-override)?|x-method-override|:.*)$/;

/** Say where a request comes from: for the caller's connection to tell, never for the model. */
const PROVENANCE =
  /^(?:forwarded|via|origin|referer|x-forwarded-.*|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-.*|fastly-.*|sec-.*)$/;

/** Decides which headers a route call takes from the chat request, and which from the model. */
export class RouteHeaderRules {
  private readonly names: ReadonlySet<string>;
  private readonly patterns: readonly RegExp[];

  /** @param forwardHeaders further headers to forward, by name or pattern */
  constructor(forwardHeaders: readonly (string | RegExp)[] = []) {
    const names = forwardHeaders.filter((rule) => typeof rule === 'string');
    this.names = new Set([...FORWARDED, ...names.map((name) => name.toLowerCase())]);
    this.patterns = forwardHeaders
      .filter((rule) => rule instanceof RegExp)
      // Without flags that make an expression remember its last match.
      .map(({ source, flags }) => new RegExp(source, `${flags.replace(/[giy]/g, '')}i`));
  }

  /** @param name in lower case */
  isForwarded(name: string): boolean {
    if (NEVER_FORWARDED.test(name)) return false;
    return this.names.has(name) || this.patterns.some((pattern) => pattern.test(name));
  }

  /** Whether the model may set a header. @param name in lower case */
  isInput(name: string): boolean {
    return !this.isForwarded(name) && !NEVER_FORWARDED.test(name) && !PROVENANCE.test(name);
  }
}
