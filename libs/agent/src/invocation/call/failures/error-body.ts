import { STATUS_CODES } from 'node:http';
import { shortened } from '../../../internal';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../message';

/** Maximum characters of a failure's message for the model. */
export const MAX_MESSAGE_CHARS = 2_000;
/** A line of a stack trace. */
const STACK_LINE = /\n[^\S\n]*at\s+\S/;
/** Fields that repeat the status, or are only for developers. */
const UNTOLD = new Set(['statuscode', 'stack', 'stacktrace', 'trace']);
/** Fields in which applications list a request's problems; those of a 5xx may hold internals. */
const FAULTS = ['errors', 'details', 'issues', 'violations', 'invalid-params', 'invalidParams'];
const DOCUMENT = /<(?:!doctype|html|head|body)\b/i;
/** Code, and the stack of default error pages. */
const UNTOLD_MARKUP = /<(script|style|pre)\b.*?(?:<\/\1\s*>|$)/gis;
const TAG = /<\/?[a-z?!][^<>]*>/gi;
/** Longer than the message, because markup is removed before the cut. */
const MOST_READ_CHARS = 8_000;

/** The name of a status in HTTP. */
export const statusName = (status: number): string => STATUS_CODES[status] ?? 'Error';

/** The body's message and list of problems; another body as JSON; empty if it adds nothing. */
export function saidBy(body: JsonValue | undefined, status: number): string {
  return shortened(newsIn(body, status) ?? '', MAX_MESSAGE_CHARS);
}

function newsIn(body: JsonValue | undefined, status: number): string | undefined {
  const name = statusName(status);
  const words = wordsIn(body);
  const faults = faultsOf(body, status);
  if (words === undefined && faults === undefined) return shown(harmless(body, status));
  const isNews = words !== undefined && !isName(words, name);
  if (!isNews && faults === undefined && status < 500) return shown(besides(body, status, name));
  return [...(isNews ? [words] : []), ...(faults === undefined ? [] : [faults])].join(' ');
}

function isName(words: JsonValue, name: string): boolean {
  return typeof words === 'string' && words.toLowerCase() === name.toLowerCase();
}

/** A body without the fields of a 5xx that may hold internals. */
function harmless(body: JsonValue | undefined, status: number): JsonValue | undefined {
  if (status < 500 || !isJsonObject(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([key]) => !FAULTS.includes(key)));
}

/** The fields of a body that do not repeat the status. */
function besides(body: JsonValue | undefined, status: number, name: string): JsonValue | undefined {
  if (!isJsonObject(body)) return undefined;
  const isNews = ([, part]: [string, JsonValue]) => part !== status && !isName(part, name);
  return Object.fromEntries(Object.entries(body).filter(isNews));
}

/** The fields of validation errors, so that the model can correct its call. */
function faultsOf(body: JsonValue | undefined, status: number): string | undefined {
  const message = memberOf(body, 'message');
  for (const key of status < 500 ? FAULTS : ['errors']) {
    const faults = memberOf(body, key);
    if (hasMembers(faults)) return shown(faults);
    const words = typeof faults === 'string' && faults !== message ? readable(faults) : undefined;
    if (words !== undefined) return JSON.stringify(words);
  }
  // Nest's name of the status, but a list in some applications.
  const error = memberOf(body, 'error');
  const isList = status < 500 && Array.isArray(error) && hasMembers(error);
  if (isList && wordsIn(message) !== undefined) return shown(error);
  return hasMembers(message) && wordsIn(message) === undefined ? shown(message) : undefined;
}

/** A value as JSON without private and redundant fields; `undefined` if nothing remains. */
function shown(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return undefined;
  const worthShowing = (key: string, part: JsonValue): JsonValue | undefined => {
    if (UNTOLD.has(key.replace(/[_-]/g, '').toLowerCase())) return undefined;
    if (typeof part === 'string') return readable(part);
    return key === '' || typeof part !== 'object' || hasMembers(part) ? part : undefined;
  };
  const text = JSON.stringify(value, worthShowing as (key: string, part: unknown) => unknown);
  return text === undefined || ['{}', '[]', 'null'].includes(text) ? undefined : text;
}

/** The message of Nest's error envelope, of problem details (RFC 9457), or of a plain text. */
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

/** A text without markup; `undefined` for a page, a stack, or an empty text. */
function readable(text: string): string | undefined {
  const read = text.slice(0, MOST_READ_CHARS).trim();
  if (DOCUMENT.test(read)) return undefined;
  const words = read.startsWith('<')
    ? read.replace(UNTOLD_MARKUP, ' ').replace(TAG, ' ').replace(/\s+/g, ' ').trim()
    : read;
  return words === '' || STACK_LINE.test(words) ? undefined : words;
}
