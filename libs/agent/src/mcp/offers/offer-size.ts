import { MAX_RESPONSE_BYTES } from '../../invocation';
import { RPC, RpcError } from '../protocol';
import type { OfferNoun } from './offer-error';

/** The most text of a resource or prompt, in bytes. */
const MAX_TEXT_BYTES = 1_048_576;

/** The contents by their kinds: text, and files in base64. */
export interface OfferParts {
  readonly texts: readonly string[];
  readonly files: readonly string[];
}

/** @throws RpcError if the content exceeds the limit: a part of a resource would be useless */
export function assertSize({ texts, files }: OfferParts, noun: OfferNoun): void {
  const textBytes = sum(texts, (text) => Buffer.byteLength(text));
  if (textBytes > MAX_TEXT_BYTES) throw tooLarge('text', textBytes, MAX_TEXT_BYTES, noun);
  const fileBytes = sum(files, (data) => Buffer.byteLength(data, 'base64'));
  if (fileBytes > MAX_RESPONSE_BYTES) throw tooLarge('files', fileBytes, MAX_RESPONSE_BYTES, noun);
}

function sum(items: readonly string[], bytesOf: (item: string) => number): number {
  return items.reduce((total, item) => total + bytesOf(item), 0);
}

function tooLarge(what: string, bytes: number, most: number, noun: OfferNoun): RpcError {
  return new RpcError(
    RPC.internalError,
    `The ${noun} is too large: it has ${bytes} bytes of ${what}, and ${most} is the maximum.`,
  );
}
