import { finished, pipeline, type Readable } from 'node:stream';
import {
  type BrotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  type Gunzip,
  type Inflate,
} from 'node:zlib';
import { RouteResponseError } from '../../tool';
import type { RouteResponse } from '../dispatch';

/** The most bytes of a response that are read, after decompression. */
export const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

/** More than a server has reason for. */
const MAX_CODINGS = 2;

type Decoder = Gunzip | Inflate | BrotliDecompress;

const DECODERS: ReadonlyMap<string, () => Decoder> = new Map<string, () => Decoder>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** What was read of a body, decompressed. */
export interface RouteContent {
  readonly bytes: Buffer;
  /** Whether there was more. */
  readonly isCut: boolean;
}

/**
 * Reads a body to its end or to the cap.
 *
 * @throws RouteResponseError 502 of a body that breaks off or cannot be decompressed, and the
 *   signal's reason where the call was aborted
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
    throw new RouteResponseError(502, 'The response broke off before its end.', { cause: error });
  } finally {
    // Closes the connection where the response was longer than the cap.
    body.destroy();
  }
}

/**
 * What undoes the codings, the last one first. Compression is never asked for, but an application
 * may insist on it.
 */
function decodersOf(encoding = ''): readonly Decoder[] {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const known = codings.flatMap((coding) => DECODERS.get(coding) ?? []);
  if (known.length === codings.length && known.length <= MAX_CODINGS) {
    return known.toReversed().map((create) => create());
  }
  throw new RouteResponseError(
    502,
    `The response is encoded as "${encoding}", which cannot be read.`,
  );
}

async function readDecoded(body: Readable, decoders: readonly Decoder[]): Promise<RouteContent> {
  const last = decoders.at(-1);
  if (!last) return readToCap(body);
  let received = 0;
  body.on('data', (chunk: Buffer) => (received += chunk.length));
  // Whoever reads the last one hears of errors; the callback only keeps them from being thrown.
  pipeline([body, ...decoders], () => undefined);
  try {
    return await readToCap(last);
  } catch (error) {
    // A response without a body may name a coding, but no decoder takes nothing for something.
    if (body.readableEnded && received === 0) return { bytes: Buffer.alloc(0), isCut: false };
    throw error;
  }
}

// Events cost a fraction of what async iteration does, and most responses are one chunk.
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
    // Hears of streams that had failed before too.
    finished(source, { writable: false }, (error) => (error ? reject(error) : settle()));
  });
}
