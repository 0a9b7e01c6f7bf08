import { isJsonObject } from '../../../message';
import { bytesOf, MAX_CHECKED_BYTES, tooLarge } from './response-bounds';

/** The members of results that this module checks itself: lists entry by entry. */
type RawList = 'tools' | 'content';
const LISTS: ReadonlySet<string> = new Set<RawList>(['tools', 'content']);
const STRUCTURED = 'structuredContent';
/** The one member of a result's `_meta` that the client needs. */
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const INTERNAL_ERROR = -32_603;
/** More than is shown, so that a secret at the end of that is whole, and masked. */
const MAX_MESSAGE_CHARS = 10_000;

interface ReceivedMessage {
  readonly jsonrpc: string;
  params?: unknown;
  result?: Record<string, unknown> | undefined;
  error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/**
 * Prepares a message for the client, which would check all of it: refuse a whole list because of
 * one bad entry, or a whole result because of a list as structured content, and collect problems for
 * minutes where there are millions of them. So these become members that it does not check, null
 * becomes no member, and the other members are bounded: a message that is too large loses its
 * parameters, or the data of its error, and is answered or ends a request.
 *
 * @returns the reason if an error has replaced a result that is too large
 */
export function prepareMessage(message: ReceivedMessage): Error | undefined {
  const { result, error, ...rest } = message;
  const checked = result && withRawMembers(result);
  if (bytesOf({ ...rest, error, checked }) <= MAX_CHECKED_BYTES) return undefined;
  delete message.params;
  if (error)
    message.error = { code: error.code, message: error.message.slice(0, MAX_MESSAGE_CHARS) };
  if (result === undefined) return undefined;
  const reason = tooLarge(MAX_CHECKED_BYTES);
  delete message.result;
  message.error = { code: INTERNAL_ERROR, message: reason.message };
  return reason;
}

/** Changes a result; returns its members that the client checks. */
function withRawMembers(result: Record<string, unknown>): object {
  const raw: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(result)) {
    const isList = LISTS.has(name) && Array.isArray(value);
    if (isList || name === STRUCTURED) raw[memberFor(name)] = value;
    if (isList) result[name] = [];
    else if (value === null || name === STRUCTURED) delete result[name];
  }
  const { _meta: meta } = result;
  if (isJsonObject(meta)) result['_meta'] = { [SUBSCRIPTION]: meta[SUBSCRIPTION] };
  const checked = { ...result };
  Object.assign(result, raw);
  return checked;
}

/** A list of a result as the server sent it, unchecked; empty if it sent none. */
export function rawList(result: unknown, name: RawList): readonly unknown[] {
  const list = rawMember(result, name);
  return Array.isArray(list) ? list : [];
}

/** The structured content of a result as the server sent it, unchecked; never null. */
export function rawStructured(result: unknown): unknown {
  return rawMember(result, STRUCTURED) ?? undefined;
}

function rawMember(result: unknown, name: string): unknown {
  return isJsonObject(result) ? result[memberFor(name)] : undefined;
}

function memberFor(name: string): string {
  return `nestjs-agent/${name}`;
}
