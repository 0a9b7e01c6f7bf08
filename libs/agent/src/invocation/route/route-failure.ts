import { STATUS_CODES } from 'node:http';
import { isJsonObject, type JsonValue } from '../../message';
import { RouteResponseError } from '../../tool';

const MAX_MESSAGE_CHARS = 2_000;
/** A line of a stack trace, in any runtime's notation. */
const STACK_LINE = /\n\s*at\s+\S/;
const MARKUP = /^\s*</;

/** What an error response of a route says, in words the model may read. */
export function routeFailure(
  status: number,
  body: JsonValue | undefined,
  headers: Readonly<Record<string, unknown>>,
): RouteResponseError {
  const name = STATUS_CODES[status] ?? 'Error';
  const said = ownWords(body);
  const addsNothing = said === undefined || said.toLowerCase() === name.toLowerCase();
  const details = addsNothing ? '' : `: ${said}`;
  const retryAfter = headers['retry-after'];
  const later =
    typeof retryAfter === 'string' && /^\d+$/.test(retryAfter)
      ? ` (try again after ${retryAfter} s)`
      : '';
  return new RouteResponseError(status, `${prefixOf(status)}${status} ${name}${details}${later}`);
}

function prefixOf(status: number): string {
  if (status === 401) return 'Authentication is needed: the caller is not logged in. ';
  if (status === 403) return 'Permission denied: the caller may not do this. ';
  return '';
}

/** The message of Nest's error envelope, of problem details (RFC 9457), or of a short plain text. */
function ownWords(body: JsonValue | undefined): string | undefined {
  if (typeof body === 'string') return readable(body);
  if (!isJsonObject(body)) return undefined;
  for (const key of ['message', 'detail', 'title', 'error']) {
    const value = Object.hasOwn(body, key) ? body[key] : undefined;
    const text = Array.isArray(value)
      ? value.filter((item) => typeof item === 'string').join('; ')
      : isJsonObject(value)
        ? ownWords(value)
        : value;
    const words = typeof text === 'string' ? readable(text) : undefined;
    if (words !== undefined) return words;
  }
  return undefined;
}

function readable(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || STACK_LINE.test(trimmed) || MARKUP.test(trimmed)) return undefined;
  return trimmed.length > MAX_MESSAGE_CHARS ? `${trimmed.slice(0, MAX_MESSAGE_CHARS)}…` : trimmed;
}
