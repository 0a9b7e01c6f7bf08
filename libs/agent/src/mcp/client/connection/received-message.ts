import { isJsonObject } from '../../../message';
import { bytesOf, MAX_CHECKED_BYTES, tooLarge } from './response-bounds';

/** The members of results that this module checks itself, entry by entry. */
type RawName = 'tools' | 'content';
const NAMES: readonly RawName[] = ['tools', 'content'];
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
 * one bad entry, and collect problems for minutes where there are millions of them. So lists of
 * results become members that it does not check, and the other members are bounded: a message that
 * is too large loses its parameters, or the data of its error, and is answered or ends a request.
 *
 * @returns the reason if an error has replaced a result that is too large
 */
export function prepareMessage(message: ReceivedMessage): Error | undefined {
  const { result, error, ...rest } = message;
  const checked = result && withRawLists(result);
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
function withRawLists(result: Record<string, unknown>): object {
  const raw: Record<string, unknown> = {};
  for (const name of NAMES) {
    if (!Array.isArray(result[name])) continue;
    raw[memberFor(name)] = result[name];
    result[name] = [];
  }
  const { _meta: meta } = result;
  if (isJsonObject(meta)) result['_meta'] = { [SUBSCRIPTION]: meta[SUBSCRIPTION] };
  // The client hands structured content on as it is.
  const checked = { ...result, structuredContent: undefined };
  Object.assign(result, raw);
  return checked;
}

/** A list of a result as the server sent it, unchecked; empty if it sent none. */
export function rawList(result: unknown, name: RawName): readonly unknown[] {
  const list = isJsonObject(result) ? result[memberFor(name)] : undefined;
  return Array.isArray(list) ? list : [];
}

function memberFor(name: RawName): string {
  return `nestjs-agent/${name}`;
}
