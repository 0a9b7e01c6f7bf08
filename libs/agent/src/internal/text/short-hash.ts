import { createHash } from 'node:crypto';

/** The beginning of a text's hash. UTF-16 keeps texts with different lone surrogates apart. */
export function shortHash(text: string, length: number): string {
  return createHash('sha256').update(text, 'utf16le').digest('hex').slice(0, length);
}
