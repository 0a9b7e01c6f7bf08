import { finished, pipeline, type Readable, type Transform } from 'node:stream';
import { decoderOf } from '../../internal';
import { RouteResponseError } from '../../tool';
import type { RouteResponse } from '../dispatch';

/** The maximum size of a response, after decompression. */
export const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

/** The maximum number of content codings. */
const MAX_CODINGS = 2;

/** A body, decompressed. */
export interface RouteContent {
  readonly bytes: Buffer;
  /** Whether the body was cut. */
  readonly isCut: boolean;
}

/**
 * Reads a body to its end or to the limit.
 *
 * @throws RouteResponseError 502 for a body that is incomplete or cannot be decompressed, and the
 * signal's reason on abort
 */
export async function contentOf(
  { body, headers }: RouteResponse,
  signal: AbortSignal,
): Promise<RouteContent> {
  try {
    return await readDecoded(body, decodersOf(headers['content-encoding']));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RouteResponseError) throw error;
    throw new RouteResponseError(502, 'The response ended early.', { cause: error });
  } finally {
    // Closes the connection of a response above the limit.
    body.destroy();
  }
}

/**
 * The decoders, the last coding first. Compression is never requested, but an application may
 * enforce it.
 */
function decodersOf(encoding = ''): readonly Transform[] {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length <= MAX_CODINGS) {
    const decoders = codings.flatMap((coding) => decoderOf(coding) ?? []);
    if (decoders.length === codings.length) return decoders.toReversed();
  }
  throw new RouteResponseError(
    502,
    `The response is encoded as "${encoding}", which cannot be read.`,
  );
}

async function readDecoded(body: Readable, decoders: readonly Transform[]): Promise<RouteContent> {
  const last = decoders.at(-1);
  if (!last) return readToCap(body);
  let received = 0;
  body.on('data', (chunk: Buffer) => (received += chunk.length));
  // The reader of the last stream gets the errors; the callback only prevents uncaught ones.
  pipeline([body, ...decoders], () => undefined);
  try {
    return await readToCap(last);
  } catch (error) {
    // A response without a body may name a coding; decoders fail on empty input.
    if (body.readableEnded && received === 0) return { bytes: Buffer.alloc(0), isCut: false };
    throw error;
  }
}

// Events are cheaper than async iteration, and most responses are one chunk.
function readToCap(source: Readable): Promise<RouteContent> {
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
    // Also reports earlier failures.
    finished(source, { writable: false }, (error) => (error ? reject(error) : settle()));
  });
}
