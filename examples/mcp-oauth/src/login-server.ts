import { Provider } from 'oidc-provider';
import { ISSUER, LOGIN_PORT, RESOURCE } from './addresses';

/**
 * An authorization server for this example alone. It keeps everything in memory, has the keys of
 * oidc-provider's development mode, and its forms accept any name and password.
 */
export function startLoginServer(): void {
  const provider = new Provider(ISSUER, {
    scopes: ['openid', 'offline_access', 'orders'],
    clientDefaults: { token_endpoint_auth_method: 'none' },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    features: {
      registration: { enabled: true }, // MCP hosts register themselves
      resourceIndicators: {
        enabled: true, // tokens are for one resource, and are JWTs
        defaultResource: () => RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          audience: RESOURCE,
          scope: 'orders',
          accessTokenFormat: 'jwt',
        }),
      },
    },
  });
  provider.listen(LOGIN_PORT, '127.0.0.1');
}
