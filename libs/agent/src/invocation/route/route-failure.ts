import { STATUS_CODES } from 'node:http';
import { isJsonObject, type JsonObject, type JsonValue } from '../../message';
import { RouteResponseError } from '../../tool';
import { withinDepth } from '../json-value';

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
  const said = saidBy(body === undefined ? undefined : withinDepth(body), name, status);
  const details = said === '' ? '' : `: ${said}`;
  const retryAfter = headers['retry-after'];
  const later =
    typeof retryAfter === 'string' && /^\d+$/.test(retryAfter)
      ? ` (try again after ${retryAfter} s)`
      : '';
  return new RouteResponseError(status, `${prefixOf(status)}${status} ${name}${details}${later}`);
}

/** The body's own words, and of a refused request what is wrong with it; empty where it adds nothing. */
function saidBy(body: JsonValue | undefined, name: string, status: number): string {
  const words = ownWords(body);
  const faults = status < 500 ? faultsOf(body) : undefined;
  const isNews = words !== undefined && words.toLowerCase() !== name.toLowerCase();
  return [...(isNews ? [words] : []), ...(faults === undefined ? [] : [faults])].join(' ');
}

/** Where validation leaves what it found, field by field, so that the model can mend its call. */
function faultsOf(body: JsonValue | undefined): string | undefined {
  const [errors, message] = [memberOf(body, 'errors'), memberOf(body, 'message')];
  const faults = hasMembers(errors) ? errors : message;
  if (!hasMembers(faults) || (faults === message && wordsIn(message) !== undefined)) {
    return undefined;
  }
  const withoutStacks = (_: string, part: unknown) =>
    typeof part === 'string' ? readable(part) : part;
  return cut(JSON.stringify(faults, withoutStacks));
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
    const words = wordsIn(memberOf(body, key));
    if (words !== undefined) return words;
  }
  return undefined;
}

function wordsIn(value: JsonValue | undefined): string | undefined {
  if (!Array.isArray(value)) return ownWords(value);
  return readable(value.filter((item) => typeof item === 'string').join('; '));
}

function memberOf(body: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(body) && Object.hasOwn(body, key) ? body[key] : undefined;
}

function hasMembers(value: JsonValue | undefined): value is JsonObject | readonly JsonValue[] {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function readable(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || STACK_LINE.test(trimmed) || MARKUP.test(trimmed)) return undefined;
  return cut(trimmed);
}

function cut(text: string): string {
  return text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS)}…` : text;
}
