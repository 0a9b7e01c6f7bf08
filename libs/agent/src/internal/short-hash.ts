import { createHash } from 'node:crypto';

/** The beginning of a text's hash. Of its UTF-16, in which lone surrogates too keep texts apart. */
export function shortHash(text: string, length: number): string {
  return createHash('sha256').update(text, 'utf16le').digest('hex').slice(0, length);
}
