import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { HttpException } from '@nestjs/common';
import { decoderOf } from '../../internal';
import { requestError } from '../errors';
import { StructureMeter } from './structure-meter';

/** The media type without parameters: `application/json` for `Application/JSON; charset=utf-8`. */
export function mediaTypeOf(request: IncomingMessage): string | undefined {
  return request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
}

export function bodyTooLarge(limit: number): HttpException {
  return requestError(413, 'body_too_large', `The body is larger than ${limit} bytes.`);
}

export function malformedJson(): HttpException {
  return requestError(400, 'invalid_request', 'The body is not valid JSON.');
}

/**
 * Reads a request's body as JSON, at most `limit` bytes of it once decompressed.
 *
 * @param structureLimit the limit for all but long texts; `limit` by default
 * @throws HttpException 400, 413 or 415, each with its code
 */
export async function readJson(
  request: IncomingMessage,
  limit: number,
  structureLimit = limit,
): Promise<unknown> {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(
    request.headers['content-type'] ?? '',
  )?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw requestError(415, 'unsupported_media_type', 'Send the body as UTF-8.');
  }
  const meter = structureLimit < limit ? new StructureMeter(structureLimit) : undefined;
  const refusal = (size: number, chunk: Buffer): HttpException | undefined => {
    if (size > limit) return bodyTooLarge(limit);
    return meter?.allows(chunk) === false ? bodyTooLarge(structureLimit) : undefined;
  };
  const text = (await collect(decompressed(request), request, limit, refusal)).toString('utf8');
  try {
    // A byte order mark is not valid JSON, but some clients send one.
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    throw malformedJson();
  }
}

function decompressed(request: IncomingMessage): Readable {
  const coding = request.headers['content-encoding'] ?? 'identity';
  if (coding.trim().toLowerCase() === 'identity') return request;
  const decoder = decoderOf(coding);
  if (decoder) return request.pipe(decoder);
  throw requestError(415, 'unsupported_media_type', 'The content encoding is not supported.');
}

function collect(
  source: Readable,
  request: IncomingMessage,
  limit: number,
  refusal: (size: number, chunk: Buffer) => HttpException | undefined,
): Promise<Buffer> {
  if (source === request && Number(request.headers['content-length'] ?? 0) > limit) {
    return Promise.reject(bodyTooLarge(limit));
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (settled: () => void) => {
      source.off('data', take).off('end', done).off('error', broken);
      request.off('close', cutOff);
      // The rest is discarded: destroying the request would destroy the answer too.
      if (source !== request) request.unpipe();
      source.on('error', () => undefined);
      request.resume();
      settled();
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      const refused = refusal(size, chunk);
      if (refused) settle(() => reject(refused));
      else chunks.push(chunk);
    };
    const done = () => settle(() => resolve(Buffer.concat(chunks, size)));
    const broken = () => settle(() => reject(malformedJson()));
    const cutOff = () => {
      if (!request.complete) broken();
    };
    source.on('data', take).on('end', done).on('error', broken);
    request.on('close', cutOff);
  });
}
