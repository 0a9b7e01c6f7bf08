import type { McpAuthOptions } from '../settings';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The metadata document of the server. @see https://www.rfc-editor.org/rfc/rfc9728#section-2 */
export function resourceMetadata({
  resource,
  authorizationServers,
  scopes,
}: McpAuthOptions): object {
  return {
    resource,
    authorization_servers: authorizationServers,
    ...(scopes && { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
  };
}

/** The document's path: the well-known one before the path of the resource. */
function metadataPath({ resource }: McpAuthOptions): string {
  return WELL_KNOWN + new URL(resource).pathname.replace(/\/$/, '');
}

/** Built from the option, never from the request's `Host`. */
export function metadataUrl(auth: McpAuthOptions): string {
  return new URL(metadataPath(auth), auth.resource).href;
}

/** The paths under which the document is served. */
export function metadataPaths(auth: McpAuthOptions): readonly string[] {
  return [...new Set([metadataPath(auth), WELL_KNOWN])];
}
