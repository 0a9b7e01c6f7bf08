import type { IncomingHttpHeaders } from 'node:http';
import { finished, pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { JsonValue } from '../../message';
import { RouteResponseError, ToolResult } from '../../tool';
import type { RouteResponse } from '../dispatch';
import { routeFailure } from './route-failure';

/** The most bytes of a response that are read, after decompression. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

const EMPTY_STATUSES = new Set([204, 205, 304]);
/** Pictures that models can look at. */
const IMAGE = /^image\/(?:png|jpe?g|gif|webp)$/;
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json$/;
const TEXT_TYPE =
  /^(?:text\/.*|application\/(?:xml|javascript|x-ndjson|yaml|x-yaml|x-www-form-urlencoded|sql|toml)|.*\+(?:xml|yaml|text))$/;

/**
 * Reads a response to its end or to the cap, and makes a result of it: JSON its value, text text,
 * pictures and files blocks, nothing `undefined`.
 *
 * @throws RouteResponseError of a status that is no success, and of redirects
 */
export async function readRouteResponse(
  response: RouteResponse,
  method: string,
  signal: AbortSignal,
): Promise<unknown> {
  const { status, headers } = response;
  if (status >= 400) {
    throw routeFailure(status, errorBody(await contentOf(response, signal), headers), headers);
  }
  if (status >= 300 && status !== 304) {
    response.body.destroy();
    throw redirect(status, headers.location);
  }
  if (method === 'HEAD') {
    response.body.destroy();
    return headResult(headers, status);
  }
  const content = await contentOf(response, signal);
  if (EMPTY_STATUSES.has(status) || content.bytes.length === 0) return undefined;
  return valueOf(content, headers);
}

interface Content {
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

async function contentOf({ body, headers }: RouteResponse, signal: AbortSignal): Promise<Content> {
  try {
    return await readToCap(decoded(body, headers['content-encoding']));
  } catch (error) {
    signal.throwIfAborted();
    throw new RouteResponseError(502, 'The response broke off before its end.', { cause: error });
  } finally {
    // Closes the connection where the response was longer than the cap.
    body.destroy();
  }
}

// Events cost a fraction of what async iteration does, and most responses are one chunk.
function readToCap(source: Readable): Promise<Content> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = () => {
      const isCut = length > MAX_RESPONSE_BYTES;
      const bytes = chunks.length === 1 && !isCut ? chunks[0] : undefined;
      resolve({
        bytes: bytes ?? Buffer.concat(chunks, Math.min(length, MAX_RESPONSE_BYTES)),
        isCut,
      });
    };
    source.on('data', (chunk: Buffer) => {
      if (length > MAX_RESPONSE_BYTES) return;
      chunks.push(chunk);
      length += chunk.length;
      if (length <= MAX_RESPONSE_BYTES) return;
      settle();
      source.destroy();
    });
    // Hears of streams that had failed before too.
    finished(source, { writable: false }, (error) => (error ? reject(error) : settle()));
  });
}

/** Compression is never asked for, but an application may insist on it. */
function decoded(body: Readable, encoding: string | undefined): Readable {
  const decoder =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'deflate'
        ? createInflate()
        : encoding === 'br'
          ? createBrotliDecompress()
          : undefined;
  if (!decoder) return body;
  // Whoever reads the decoder hears of errors; the callback only keeps them from being thrown.
  return pipeline(body, decoder, () => undefined);
}

function valueOf({ bytes, isCut }: Content, headers: IncomingHttpHeaders): unknown {
  const type = mediaType(headers);
  if (type === undefined ? isUtf8Text(bytes) : JSON_TYPE.test(type) || TEXT_TYPE.test(type)) {
    const text = textOf(bytes, headers);
    if (isCut)
      return `${text}\n[The response was longer than ${MAX_RESPONSE_BYTES} bytes and was cut.]`;
    return type !== undefined && JSON_TYPE.test(type) ? parsedOr(text, text) : text;
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

function errorBody({ bytes }: Content, headers: IncomingHttpHeaders): JsonValue | undefined {
  const type = mediaType(headers);
  if (type === 'text/html') return undefined;
  const text = textOf(bytes, headers);
  if (type !== undefined && JSON_TYPE.test(type)) return parsedOr(text, undefined);
  return type === undefined || TEXT_TYPE.test(type) ? text : undefined;
}

function headResult(headers: IncomingHttpHeaders, status: number): JsonValue {
  const names = ['content-type', 'content-length', 'etag', 'last-modified'] as const;
  const shown = names.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]]],
  );
  return { status, headers: Object.fromEntries(shown) as JsonValue };
}

function redirect(status: number, location: string | undefined): RouteResponseError {
  // What stands behind "?" may be a secret, and what follows is not the caller's to reach here.
  const target = location?.split(/[?#]/)[0];
  return new RouteResponseError(
    status,
    `The route answered with a redirect (${status})${target ? ` to "${target}"` : ''}, which is not followed.`,
  );
}

function mediaType(headers: IncomingHttpHeaders): string | undefined {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase();
}

function textOf(bytes: Buffer, headers: IncomingHttpHeaders): string {
  const charset = /charset="?([^\s;"]+)/i.exec(headers['content-type'] ?? '')?.[1];
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // An unknown charset: UTF-8 shows at least what is ASCII.
    return bytes.toString('utf8');
  }
}

function isUtf8Text(bytes: Buffer): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\0');
  } catch {
    return false;
  }
}

function parsedOr<T>(text: string, otherwise: T): JsonValue | T {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return otherwise;
  }
}

/** @see https://www.rfc-editor.org/rfc/rfc6266 */
function fileName(disposition: string | undefined): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  }
  return /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1];
}
