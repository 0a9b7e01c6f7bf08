/** Headers of the chat request that are always forwarded. */
const FORWARDED = new Set([
  'authorization',
  'cookie',
  'accept-language',
  'x-request-id',
  'traceparent',
  'tracestate',
]);

/** Never forwarded: they belong to one connection or message, or change the request. */
const NEVER_FORWARDED =
  /^(?:host|connection|keep-alive|te|trailers?|transfer-encoding|upgrade|expect|range|proxy-.*|content-.*|if-.*|accept-encoding|idempotency-key|x-agent-depth|x-http-method(?:-override)?|x-method-override|:.*)$/;

/** Name the origin of a request: never set by the model. */
const PROVENANCE =
  /^(?:(?:x-)?forwarded(?:-.*)?|via|origin|referer|(?:.*-)?(?:client|connecting|originating|real|remote)-?(?:ip|addr)|(?:.*-)?remote-?address|x-proxyuser-ip|x-source-ip|cdn-src-ip|x-original-(?:url|uri|host|method|forwarded-for)|x-rewrite-url|x-envoy-.*|(?:x-)?akamai-.*|cf-.*|cloudfront-.*|fastly-.*|fly-.*|x-nf-.*|x-vercel-.*|x-azure-.*|x-appengine-.*|x-(?:url-)?scheme|front-end-https|sec-.*|user-agent)$/;

/** Headers in which a proxy or gateway identifies its client: a model could impersonate anyone. */
const IDENTITY =
  /^(?:(?:x-)?remote-(?:user|email|groups?|name)|x-webauth-.*|x-auth-request-.*|x-authenticated-.*|x-goog-(?:authenticated-user|iap)-.*|x-amzn-(?:oidc|mtls)-.*|x-ms-(?:client-principal|token)(?:-.*)?|x-authentik-.*|x-pomerium-.*|x-vouch-.*|tailscale-.*|x-(?:ssl-)?client-(?:cert|dn|subject|verify)(?:-.*)?|ssl-client-.*)$/;

/** The preconditions of a write that a handler reads itself: the model has to name the version. */
const PRECONDITIONS: ReadonlySet<string> = new Set(['if-match', 'if-unmodified-since']);

/** Of every client, or for the agent itself; no guard identifies a caller by one of these. */
const COMMON =
  /^(?:accept|accept-.*|baggage|cache-control|dnt|last-event-id|mcp-.*|pragma|priority|save-data|upgrade-insecure-requests|user-agent|x-agent-session)$/;

/** Decides which headers come from the chat request, and which the model may set. */
export class RouteHeaderRules {
  private readonly names: ReadonlySet<string>;
  private readonly patterns: readonly RegExp[];

  /** @param forwardHeaders further headers to forward, by name or pattern */
  constructor(forwardHeaders: readonly (string | RegExp)[] = []) {
    const names = forwardHeaders.filter((rule) => typeof rule === 'string');
    this.names = new Set([...FORWARDED, ...names.map((name) => name.toLowerCase())]);
    this.patterns = forwardHeaders
      .filter((rule) => rule instanceof RegExp)
      // Without flags that store the last match.
      .map(({ source, flags }) => new RegExp(source, `${flags.replace(/[giy]/g, '')}i`));
  }

  /** @param name in lower case */
  isForwarded(name: string): boolean {
    if (NEVER_FORWARDED.test(name)) return false;
    return this.names.has(name) || this.patterns.some((pattern) => pattern.test(name));
  }

  /** Whether a header is left behind that a guard may have asked for. @param name in lower case */
  isLeftBehind(name: string): boolean {
    if (IDENTITY.test(name)) return !this.isForwarded(name);
    return this.isInput(name) && !COMMON.test(name) && !PRECONDITIONS.has(name);
  }

  /** Whether the model may set a header. @param name in lower case */
  isInput(name: string): boolean {
    if (PRECONDITIONS.has(name)) return true;
    const isTaken = [NEVER_FORWARDED, PROVENANCE, IDENTITY].some((taken) => taken.test(name));
    return !isTaken && !this.isForwarded(name);
  }
}
