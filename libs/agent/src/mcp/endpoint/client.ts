import { randomUUID } from 'node:crypto';
import { printable } from '../../internal';
import { isJsonObject, type JsonObject, type JsonValue } from '../../message';
import { headerOf } from '../../http/wire';

/** Long enough for any name and version. */
const MAX_CHARS = 128;

/**
 * The client's name and version: from the request in the modern revision, else the `User-Agent`.
 */
export function clientNameOf(info: JsonValue | undefined, request: unknown): string | undefined {
  const said = isJsonObject(info)
    ? [info['name'], info['version']].filter((part) => typeof part === 'string').join('/')
    : headerOf(request, 'user-agent');
  // Control characters could forge lines of a log, or reverse its text.
  return said ? printable(said).slice(0, MAX_CHARS) : undefined;
}

/** Whether the client shows forms to its user. An empty capability stands for forms. */
export function elicitsForms(capabilities: JsonObject): boolean {
  const { elicitation } = capabilities;
  if (!isJsonObject(elicitation)) return false;
  return isJsonObject(elicitation['form']) || Object.keys(elicitation).length === 0;
}

/**
 * Carries the client's abilities from `initialize` to later requests, so that the server stores
 * nothing.
 */
export const SESSION_ID_HEADER = 'mcp-session-id';

/** An id that encodes whether the client can ask its user. No permission depends on it. */
export function newMcpSessionId(elicits: boolean): string {
  return `${elicits ? 'e' : 'n'}-${randomUUID()}`;
}

export function sessionElicits(request: unknown): boolean {
  return headerOf(request, SESSION_ID_HEADER)?.startsWith('e-') ?? false;
}
