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

/** Whether a request's URL is that of the document, with or without the resource's path. */
export function isMetadataPath(url: string, auth: McpAuthOptions): boolean {
  if (!url.startsWith(WELL_KNOWN)) return false;
  const path = new URL(url, auth.resource).pathname.replace(/\/$/, '');
  return path === WELL_KNOWN || path === metadataPath(auth);
}
