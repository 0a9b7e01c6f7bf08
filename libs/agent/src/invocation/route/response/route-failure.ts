import { isJsonObject, type JsonValue } from '../../../message';
import { RouteResponseError } from '../../../tool';
import { saidBy, statusName, withinDepth } from '../../call';

/** They become a header: its characters, and far fewer than servers and clients accept. */
const SCOPES = /^(?=.{1,1000}$)[!-~]+(?: [!-~]+)*$/;

/** The error of a route's error response, safe for the model. */
export function routeFailure(
  status: number,
  body: JsonValue | undefined,
  headers: Readonly<Record<string, unknown>>,
): RouteResponseError {
  const said = saidBy(body === undefined ? undefined : withinDepth(body), status);
  const details = said === '' ? '' : `: ${said}`;
  const retryAfter = headers['retry-after'];
  const later =
    typeof retryAfter === 'string' && /^\d+$/.test(retryAfter)
      ? ` (try again after ${retryAfter} s)`
      : '';
  return new RouteResponseError(
    status,
    `${prefixOf(status)}${status} ${statusName(status)}${details}${later}`,
    undefined,
    status === 403 ? scopesIn(body) : undefined,
  );
}

/**
 * The scopes that a refused token lacks, by the names of OAuth.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3.1
 */
function scopesIn(body: JsonValue | undefined): readonly string[] | undefined {
  if (!isJsonObject(body) || body['error'] !== 'insufficient_scope') return undefined;
  const { scope } = body;
  return typeof scope === 'string' && SCOPES.test(scope) ? scope.split(' ') : undefined;
}

function prefixOf(status: number): string {
  if (status === 401) return 'Authentication is needed: the caller is not logged in. ';
  if (status === 403) return 'Permission denied: the caller may not do this. ';
  return '';
}
