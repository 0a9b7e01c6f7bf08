import type { IncomingHttpHeaders } from 'node:http';
import { jsonIn, withFallback } from '../../../internal';
import type { JsonValue } from '../../../message';
import { RouteResponseError, ToolResult } from '../../../tool';
import type { RouteResponse } from '../../dispatch';
import { contentOf, MAX_RESPONSE_BYTES, type RouteContent } from '../../result';
import { routeFailure } from './route-failure';

const EMPTY_STATUSES = new Set([204, 205, 304]);
/** Picture types that models support. */
const IMAGE = /^image\/(?:png|jpe?g|gif|webp)$/;
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json$/;
const TEXT_TYPE =
  /^(?:text\/.*|application\/(?:xml|javascript|x-ndjson|yaml|x-yaml|x-www-form-urlencoded|sql|toml)|.*\+(?:xml|yaml|text))$/;

/** Warns the model before it repeats a write. */
export const EFFECT_UNKNOWN = 'Its effect is unknown.';

export interface AnsweredRequest {
  readonly method: string;
  /** Whether the tool only reads. */
  readonly isReadOnly: boolean;
  /** Receives the result of a write that has happened, in case the call is stopped. */
  readonly commit?: (result: ToolResult) => void;
}

/**
 * Reads a response to its end or to the limit and converts it to a result: JSON to its value, text
 * to text, pictures and files to blocks, an empty body to `undefined`. A successful write stays a
 * success even if its response is unreadable: a model repeats a write that is reported as failed.
 *
 * @throws RouteResponseError for error statuses, redirects, and unreadable responses of read-only
 * tools
 */
export async function readRouteResponse(
  response: RouteResponse,
  { method, isReadOnly, commit }: AnsweredRequest,
  signal: AbortSignal,
): Promise<unknown> {
  const { status, headers } = response;
  if (status >= 400) {
    throw routeFailure(status, await errorBody(response, signal), headers);
  }
  if (status >= 300 && status !== 304) {
    response.body.destroy();
    throw redirect(status, headers.location, isReadOnly);
  }
  if (method === 'HEAD') {
    response.body.destroy();
    return headResult(headers, status);
  }
  if (!isReadOnly && status < 300) {
    commit?.(written(status, 'The response had not ended when the call was stopped.'));
  }
  try {
    const content = await contentOf(response, signal);
    if (EMPTY_STATUSES.has(status) || content.bytes.length === 0) return undefined;
    return valueOf(content, headers);
  } catch (error) {
    if (isReadOnly || !(error instanceof RouteResponseError)) throw error;
    return written(status, error.message);
  }
}

/** The result of a write with an unreadable response. */
function written(status: number, why: string): ToolResult {
  return new ToolResult(
    `Done: the route answered with success (${status}). The rest of its response is missing. ${why}`,
  );
}

function valueOf({ bytes, isCut }: RouteContent, headers: IncomingHttpHeaders): unknown {
  const type = mediaType(headers);
  if (type === undefined ? isUtf8Text(bytes) : JSON_TYPE.test(type) || TEXT_TYPE.test(type)) {
    const text = textOf(bytes, headers);
    if (isCut)
      return `${text}\n[The response was longer than ${MAX_RESPONSE_BYTES} bytes and was cut.]`;
    return type !== undefined && JSON_TYPE.test(type) ? jsonIn(text, text) : text;
  }
  if (isCut) {
    throw new RouteResponseError(
      413,
      `The response (${type ?? 'of unknown type'}) is larger than ${MAX_RESPONSE_BYTES} bytes and cannot be shown.`,
    );
  }
  return blockOf(bytes, type ?? 'application/octet-stream', headers);
}

function blockOf(bytes: Buffer, type: string, headers: IncomingHttpHeaders): ToolResult {
  const data = bytes.toString('base64');
  if (IMAGE.test(type)) return new ToolResult([{ type: 'image', mediaType: type, data }]);
  const name = fileName(headers['content-disposition']);
  return new ToolResult([
    { type: 'file', mediaType: type, data, ...(name !== undefined && { name }) },
  ]);
}

/** The text of an error response; empty if it is unreadable. */
async function errorBody(
  response: RouteResponse,
  signal: AbortSignal,
): Promise<JsonValue | undefined> {
  const { headers } = response;
  const type = mediaType(headers);
  const isText = type === undefined || JSON_TYPE.test(type) || TEXT_TYPE.test(type);
  try {
    const text = textOf((await contentOf(response, signal)).bytes, headers);
    // Express sends text without a type as HTML.
    return isText ? (jsonIn(text, text) as JsonValue) : undefined;
  } catch (error) {
    if (error instanceof RouteResponseError) return undefined;
    throw error;
  }
}

function headResult(headers: IncomingHttpHeaders, status: number): JsonValue {
  const names = ['content-type', 'content-length', 'etag', 'last-modified'] as const;
  const shown = names.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]]],
  );
  return { status, headers: Object.fromEntries(shown) as JsonValue };
}

function redirect(
  status: number,
  location: string | undefined,
  isReadOnly: boolean,
): RouteResponseError {
  // The query may contain secrets, and the target's host is internal.
  const target = location?.split(/[?#]/)[0];
  return new RouteResponseError(
    status,
    `The route answered with a redirect (${status})${target ? ` to "${target}"` : ''}, which is not followed.${isReadOnly ? '' : ` ${EFFECT_UNKNOWN}`}`,
  );
}

function mediaType(headers: IncomingHttpHeaders): string | undefined {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase() || undefined;
}

function textOf(bytes: Buffer, headers: IncomingHttpHeaders): string {
  const charset = /charset="?([^\s;"]+)/i.exec(headers['content-type'] ?? '')?.[1];
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // An unknown charset: UTF-8 keeps ASCII readable.
    return bytes.toString('utf8');
  }
}

function isUtf8Text(bytes: Buffer): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return withFallback(() => !decoder.decode(bytes).includes('\0'), false);
}

/**
 * The name of a file, without any path.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6266#section-4.3
 */
function fileName(disposition = ''): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  const name =
    encoded === undefined
      ? /filename="?([^";]+)"?/i.exec(disposition)?.[1]
      : withFallback(() => decodeURIComponent(encoded), encoded);
  return name?.replace(/^.*[\\/]/s, '').replace(/\p{Cc}/gu, '');
}
