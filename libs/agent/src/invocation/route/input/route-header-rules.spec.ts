import { RouteHeaderRules } from './route-header-rules';

describe('the headers that a model may set', () => {
  const rules = new RouteHeaderRules();

  it.each([
    'x-tenant',
    'x-flavour',
    'if-match',
    'x-client-version',
    'x-api-version',
    'scheme',
    'url-scheme',
    'client-address',
    'x-client-address',
  ])('are those of the application, such as %s', (name) => expect(rules.isInput(name)).toBe(true));

  it.each([
    'remote-user',
    'x-remote-user',
    'x-webauth-user',
    'x-auth-request-email',
    'x-authenticated-userid',
    'x-goog-authenticated-user-email',
    'x-goog-iap-jwt-assertion',
    'x-amzn-oidc-identity',
    'x-ms-client-principal',
    'x-ms-client-principal-name',
    'tailscale-user-login',
    'x-client-cert',
    'x-ssl-client-verify',
    'ssl-client-cert',
  ])('are none in which a proxy tells who the caller is: %s', (name) => {
    expect(rules.isInput(name)).toBe(false);
    // The log mentions a guard that refuses because the header is missing.
    expect(rules.isLeftBehind(name)).toBe(true);
    const forwarding = new RouteHeaderRules([name]);
    expect(forwarding.isForwarded(name)).toBe(true);
    expect(forwarding.isLeftBehind(name)).toBe(false);
  });

  it.each([
    'fly-client-ip',
    'x-envoy-external-address',
    'x-original-url',
    'x-original-remote-addr',
    'x-azure-clientip',
    'x-real-ip',
    'true-client-ip',
    'do-connecting-ip',
    'x-remote-addr',
    'x-originating-ip',
    'wl-proxy-client-ip',
    'incap-client-ip',
    'x-sucuri-clientip',
    'cloudfront-viewer-address',
    'x-akamai-edgescape',
    'x-nf-client-connection-ip',
    'x-scheme',
    'x-url-scheme',
    'forwarded',
    'forwarded-for',
    'x-forwarded-proto',
    'remote-address',
    'x-remote-address',
    'x-client-addr',
    'x-proxyuser-ip',
    'cdn-src-ip',
    'x-source-ip',
    'front-end-https',
  ])('are none that name the origin of a request: %s', (name) =>
    expect(rules.isInput(name)).toBe(false),
  );

  it('are not asked for by a guard where the agent reads them itself', () => {
    expect(rules.isLeftBehind('x-agent-session')).toBe(false);
  });
});
